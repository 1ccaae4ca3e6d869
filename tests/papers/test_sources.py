"""Games and counts of the published programs, move for move: what the rebuilt ones must reproduce."""

from __future__ import annotations

import pytest

from bot.agents.catalogue import make_agent
from bot.agents.games import UNLIMITED
from bot.engine.agent import NO_LIMIT_S, Limit
from bot.game import Board
from bot.papers.tasks import Play

TOMMY = """\
5 X O 13592 4979 183 44445367556545534711111177333366
5 O X 10892 5924 220 44445367556545534711111177333366
6 X X 13067 11032 412 455554424322442515333
6 O O 22703 6378 98 455554424322442515333
7 X X 203597 32396 222 44446555567166334765456222223333277
7 O O 147921 41416 691 44446555567166334765456222223333277
8 X X 193762 74599 1119 455155666656651111177222244444333
8 O O 243792 73316 311 455155666656651111177222244444333
9 X X 1826415 110383 222 44446336755552445517166667733
9 O O 796316 176731 734 44446336755552445517166667733"""
"""Table 1, game by game: depth, first player, winner, leaves of X and of O, passes of O, moves.

The table prints half of the sums of the two games of a depth.
"""
TOMMY_DEEPEST = """\
10 X D 3446935 356956 882 444445555225746222276665766777333333111111
10 O D 3258739 298263 299 444445555225746222276665766777333333111111"""
"""Its last row, which takes long."""
SCHEE = """\
3 | 22,0,10 | -36,3,497 | 22,0,967 | -25,3,10276
0 | 0,6,32 | -21,3,230 | 0,0,459 | -17,3,7144
2 | 12,0,10 | -28,2,369 | 12,0,740 | -27,3,14645
32 | -18,0,176 | 2,2,366 | -24,0,6654 | -23,0,1917
323 | 44,0,10 | -39,3,696 | 38,0,1287 | -51,3,30714
33 | -7,0,88 | -2,3,111 | -7,0,564 | -5,3,768"""
"""Value, column and calls of the published program at depths 1 to 4."""
SCHEE_LATE = """\
4063234614152306045236 | 46,0,10 | -999,0,8406 | -999,0,103
522614200460 | -48,0,416 | 12,0,972 | -42,2,17717
36315413 | -21,0,200 | -20,0,87 | -27,0,1501
00042155 | 12,6,18 | -22,4,323 | 13,0,653
2364324150113456440211600234100556 | 999,3,8 | 999,3,13 | 999,3,17
03015036453202215414226441256416105066 | 1,5,9 | -2,3,16 | 999,3,5021
511632150634 | -64,0,544 | 15,0,1257 | 999,2,15044
510433632133 | 51,3,15 | -45,2,799 | 37,0,1355
64663346411643641032105504532522 | 999,0,8 | 999,0,15 | 999,0,65
00114063 | 22,2,14 | -25,3,414 | 17,0,758
346141523050453356053261 | 5,6,16 | -999,0,8067 | -999,0,105
200460306230061221446441524515516125 | 999,3,6 | 999,3,10 | 999,3,10
0036315413 | -8,2,96 | 3,3,217 | -12,2,3833
156135303310265201145650013540366444 | 999,2,6 | 999,2,9 | 999,2,9
45104224314351416 | 999,1,11 | 999,1,22 | 999,1,188
2164151155415 | 54,1,13 | -49,4,855 | 46,0,1557
3403000042155323653241603466 | 999,1,8 | 999,1,16 | 999,1,16
21150023 | -24,0,224 | -23,0,87 | -12,2,436
10012244102142656451500326201635 | 999,3,7 | 999,3,13 | 999,3,13
52210034 | -30,6,272 | -3,0,477 | -34,0,9433
505551622054046064404633501 | 18,6,19 | -24,3,273 | 20,3,558
050235235 | 10,4,17 | -19,2,273 | -2,0,419
336404640240301503554204326355266 | 999,1,7 | 999,1,13 | 999,1,49
12352153666113142122430032065535665 | 999,4,6 | 999,4,7 | 999,0,16"""
"""The same of later positions: recorded from a second implementation in plain Python at e8a7ab4 and 2d4e2a94."""
RMARCUS_REPLIES = {1: "3323433", 2: "1133351", 3: "3333333", 4: "3523413"}
"""Replies of the original to each first column, by depth."""
RMARCUS_GAMES = """\
1 4 4
1 441 4
1 44146 4
1 4414644 3
1 441464430 1
1 44146443014 1
1 4414644301412 1
1 441464430141210 1
1 2 2
1 222 2
1 22221 3
1 2222130 3
1 222213030 3
1 22221303033 3
1 2222130303335 3
1 222213030333530 1
1 22221303033353015 0
1 2222130303335301502 1
1 4 4
1 445 4
1 44546 4
2 5 5
2 554 5
2 55454 4
2 5545446 3
2 554544631 4
2 55454463146 1
2 5545446314616 6
2 554544631461666 1
2 55454463146166613 4
2 5545446314616661345 4
2 6 1
2 616 6
2 61660 0
2 6166006 5
2 616600652 5
2 61660065255 5
2 6166006525553 5
2 616600652555352 2
2 61660065255535221 2
2 6166006525553522125 2
2 616600652555352212524 2
3 5 3
3 533 3
3 53330 3
3 5333030 3
3 533303033 0
3 53330303300 4
3 5333030330042 0
3 533303033004204 5
3 53330303300420452 4
3 5333030330042045240 5
3 533303033004204524051 1
3 53330303300420452405112 2
3 5333030330042045240511222 4
3 533303033004204524051122246 1
3 53330303300420452405112224611 1
3 5333030330042045240511222461114 1
3 533303033004204524051122246111415 5
3 53330303300420452405112224611141554 5
3 5333030330042045240511222461114155456 2"""
"""Games against the original: depth, position and its column."""
RMARCUS_LATE = """\
2 23140424661044 3
2 045040413543235322126205662650 4
3 316213305054662252434630026630055521 4
2 01621513330143521636426436514044060 2
3 400614316224230063333201044221 6
2 215406425605624213614553635414113633 2
2 05235464364141 1
3 61406611134605035545306011502622533 4
2 15611534323122052024436052551013036 4
3 02432410451012011252413664450505266 5
4 03605440540553260621511654 0
2 03533251323203 6
3 630665344150063441533041143525 2
2 44132164004232256134151045 3
4 53622310002023051436330162462556645454 4
3 20564660061045465623311105 0
3 345154665606222422231511113544046 3
2 523252302542330626155305140043601 4
4 41335234310044314643550015 2
3 063445005105265400546211512243 6
2 65106246212426413441535512201364655000 3
2 24533420131460 4
2 644362406404402660561053150231 2
4 303566134264241226242060436433 5
3 503502122345135131445645026261362 1
3 35624112355141226566411255632030360 4
4 4553615556564161603623041312444031000 2
4 66242353151340552602243000336264015651 4"""
"""The same; recorded likewise."""


@pytest.mark.parametrize(
    "line", [*TOMMY.splitlines(), *(pytest.param(line, marks=pytest.mark.slow) for line in TOMMY_DEEPEST.splitlines())]
)
def test_a_game_of_tommys_table_1(line):
    depth, first, *expected = line.split()
    names = {"X": f"tommy-ab:{depth}", "O": f"tommy-mtdf:{depth}"}
    played = Play({role: names[role] for role in f"{first}XO"}).perform()
    found = ["ODX"[int(2 * played["X_points"])]]
    found += [str(played[each]) for each in ("X_leaves", "O_leaves", "O_passes", "moves")]
    assert found == expected


@pytest.mark.parametrize("line", [*SCHEE.splitlines(), *SCHEE_LATE.splitlines()])
def test_value_column_and_calls_of_van_der_schees_program(line):
    moves, *vectors = line.split(" | ")
    for depth, vector in enumerate(vectors, start=1):
        found = make_agent(f"vds:{depth}").choose(Board.from_moves(map(int, moves)), UNLIMITED)
        assert f"{found.score:g},{found.column},{found.nodes}" == vector


def test_a_depth_without_a_column_of_its_own_repeats_the_one_before():
    """The search of the move before left the root in the table, at depth 2 but not at depth 1. Recorded likewise."""
    board, agent = Board.from_moves(map(int, "600026156562241404513536564")), make_agent("vds:4")
    found = agent.choose(board, UNLIMITED)
    assert (found.score, found.column) == (-11, 2)
    found = agent.choose(board.play(2).play(3), Limit(hard_s=NO_LIMIT_S, depth=2))
    assert (found.score, found.column) == (16, 5), "those of depth 1: no pass of depth 2 has a column"


def rmarcus_column(depth: int | str, moves: str) -> int:
    return make_agent(f"rmarcus:{depth}").choose(Board.from_moves(map(int, moves)), UNLIMITED).column


def test_replies_of_the_web_ai():
    assert make_agent("rmarcus:1").choose(Board(), UNLIMITED).score == 7, "the middle cell lies in 7 windows"
    last = Board.from_moves("55735375635726216472116646325347344742111")
    assert make_agent("rmarcus:1").choose(last, UNLIMITED).score == 0, "a four by the 42nd disc counts nothing"
    for depth, replies in RMARCUS_REPLIES.items():
        assert "".join(str(rmarcus_column(depth, str(column))) for column in range(7)) == replies
    for line in f"{RMARCUS_GAMES}\n{RMARCUS_LATE}".splitlines():
        late_depth, moves, reply = line.split()
        assert rmarcus_column(late_depth, moves) == int(reply), line


@pytest.mark.parametrize("cell", ["2 1 D42", "4 1 L22", "6 1 L26", "4 8 D42", "7 8 W35"])
def test_five_cells_of_halims_tabel_1_come_out_in_the_recommended_reading(cell):
    opponent, system, printed = cell.split()
    played = Play({"S": f"halim:{system}", "O": f"rmarcus:{opponent}"}).perform()
    assert f"{'LDW'[int(2 * played['S_points'])]}{played['plies']}" == printed
