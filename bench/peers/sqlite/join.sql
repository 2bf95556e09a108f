create table ord(n int, c text, p text, q int);
create table cust(c text primary key, r text) without rowid;
create table prod(p text primary key, k text) without rowid;
.mode csv
.import ord.csv ord
.import cust.csv cust
.import prod.csv prod
select 'count=' || count(*) from (
    select r, k, sum(q) s, count(*) n from ord join cust using (c) join prod using (p) group by r, k
) where s >= n;
