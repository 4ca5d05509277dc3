"""Say who the names of speakers are, so that one person's quotes are counted together: as CSV out and in.

{command} export --lake DIR --out FILE.csv [--first N]
{command} import --lake DIR --names FILE.csv [--accept SHARE]

The file has the names of persons as texts give them, most quoted first, each with a proposed full name. Fill in
canonical, the name that stands for the person, and wikidata_id (Q42) where you know it; - in canonical withdraws
what was said before. The last row of a name counts. With --accept 0.95 rows left empty take their proposal where
articles mean that person by the name in 95 % of its quotes or more (proposed_share).
"""

from argparse import Namespace
from datetime import UTC, datetime

from quotelake.answers.aliases import read_aliases, to_csv
from quotelake.answers.statements import STATEMENTS
from quotelake.commands.lake_access import append_rows, lake_engine
from quotelake.commands.options import read_text
from quotelake.files.outputs import MARK, write_atomically
from quotelake.lake.place import check_writable


def run(arguments: Namespace) -> None:
    """Export the names of speakers, or import who they are."""
    root = arguments.lake
    run_sql = lake_engine("name_speakers", root).sql
    if arguments.action == "export":
        names, meant, archive = (run_sql(STATEMENTS[name]) for name in ("names", "full_names", "aliases"))
        write_atomically(arguments.out, MARK + to_csv(names, meant, archive, arguments.first))
        print(f"names written to {arguments.out}: fill in canonical and wikidata_id, then import it")
        return
    check_writable(root)
    file, now = str(arguments.names), datetime.now(UTC)
    text = read_text(file, f"--names {file}", "a file that export wrote")
    given, new = read_aliases(text, file, run_sql(STATEMENTS["aliases"]), now, arguments.accept)
    append_rows(root, "name_speakers", "speaker_aliases", new, now)
    print(f"{len(given):,} names, {len(new):,} of them new or changed")
    known = {row["speaker"] for row in run_sql("SELECT DISTINCT speaker FROM speaker_quotes")}
    if unknown := [name for name in given if name not in known]:
        print(f"{len(unknown):,} of the names are those of no quote of this lake, such as {unknown[0]}")
