create table row(a int, b text, c int, d text);
.mode csv
.import rows.csv row
select 'count=' || (count(distinct b) + count(distinct c) + count(distinct d)) from row;
