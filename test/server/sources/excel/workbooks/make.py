"""Makes the workbooks of this folder with openpyxl 3.1: python3 make.py

Those that are locked hold `people` of two rows and a sheet of noise, encrypted by others: locked-agile.xlsx by msoffcrypto-tool 6.1
(OOXMLFile.encrypt, password "öpen sesame"), locked-standard.xlsx by officecrypto-tool 0.0.19 (type standard, password "open sesame").
"""

import datetime as d

import openpyxl
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.worksheet.table import Table

book = openpyxl.Workbook()
people = book.active
people.title = "People"
people.append(["name", "age", "score", "member", "born", "seen", "start", "worked", "share"])
people.append(
    ["Ada", 36, 1.5, True, d.date(1990, 5, 1), d.datetime(2024, 2, 29, 13, 45, 30), d.time(8, 30), d.timedelta(hours=26, minutes=3), 0.25]
)
people.append(
    ['Bob <&> "b"', 41, 2, False, d.date(1904, 1, 2), d.datetime(2000, 1, 1, 0, 0, 0, 250000), d.time(23, 59, 59), d.timedelta(minutes=5), 1]
)
people.append([None] * 9)
people.append(["Ünï 漢字 😀\nline", 9007199254740993, 1e300, None, d.date(9999, 12, 31), None, None, None, -1])
for row in range(2, 6):
    people.cell(row, 8).number_format = "[h]:mm:ss"
    people.cell(row, 9).number_format = "0.00%"
people.add_table(Table(displayName="T", ref="A1:I5"))
people["A1"].comment = openpyxl.comments.Comment("said", "somebody")
sums = book.create_sheet("Sums & more")
sums["B3"], sums["C3"], sums["D3"] = "k", "v", "beside"
for i in range(3):
    sums.cell(4 + i, 2, f"k{i}")
    sums.cell(4 + i, 3, i * 1.5)
    sums.cell(4 + i, 4, "x")
sums["B8"], sums["C8"] = "sum", "=SUM(C4:C6)"
sums["B9"], sums["C9"] = "none", "#DIV/0!"
book.save("people.xlsx")
book.epoch = CALENDAR_MAC_1904
book.save("from-1904.xlsx")
