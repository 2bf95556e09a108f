create table par(c int, p int);
.mode csv
.import par.csv par
create index par_p on par(p, c);
with recursive sg(x, y) as (
    select a.c, b.c from par a join par b on a.p = b.p
    union select a.c, b.c from sg join par a on a.p = sg.x join par b on b.p = sg.y
)
select 'count=' || count(*) from sg;
