create table edge(x text, y text);
.mode csv
.import edge.csv edge
create index edge_x on edge(x, y);
with recursive path(x, y) as (select x, y from edge union select path.x, edge.y from path join edge on edge.x = path.y)
select 'count=' || count(*) from path;
