create table edge(x int, y int, primary key (x, y)) without rowid;
.mode csv
.import edge.csv edge
select 'count=' || count(*) from edge a join edge b on b.x = a.y join edge c on c.x = a.x and c.y = b.y;
