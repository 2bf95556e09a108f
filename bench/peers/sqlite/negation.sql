create table edge(x int, y int);
create table node(x int);
create table start(x int);
create table blocked(x int primary key);
.mode csv
.import edge.csv edge
.import node.csv node
.import start.csv start
.import blocked.csv blocked
create table free as select x, y from edge where y not in (select x from blocked);
create index free_x on free(x, y);
create table way(x int, y int, primary key (x, y)) without rowid;
with recursive found(x, y) as (
    select free.x, free.y from start join free using (x)
    union select found.x, free.y from found join free on free.x = found.y
)
insert into way select * from found;
select 'count=' || count(*) from start s cross join node n
where n.x not in (select x from blocked) and not exists (select 1 from way where way.x = s.x and way.y = n.x);
