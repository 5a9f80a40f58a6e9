#!/usr/bin/env python3
"""Makes a filled store of every version of the schema, as the program of that time left it.

Each version's tables are made by the steps of the commit that released it, on the store of the version
before: as with a user who has had the program from its first day. Then every table gets rows of what
was new. After a change of the schema, commit it, add what the new tables are filled with, and run this
in the project's folder. Files that are there already stay as they are. The newest step is taken as it is
now: until it is released, it may change, and its file is made again after removing it.
"""
import os
import re
import sqlite3
import subprocess

here = os.path.dirname(os.path.abspath(__file__))
source = "Sources/Articles/Store/Schema.swift"
US = "\x1f"
# The steps that changed between their first commit and their release.
changed = {27, 29}


def git(*arguments):
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=True).stdout


def steps(text):
    body = text[text.index("[String] = ["):]
    found = re.findall(r'^    """\n(.*?)^    """', body, re.S | re.M)
    return [step.replace("\\\n", "") for step in found]


def released():
    """The steps by their numbers, each as it was released first."""
    found = {}
    for commit in git("log", "--reverse", "--format=%h", "--", source).split():
        for number, step in enumerate(steps(git("show", f"{commit}:{source}")), 1):
            found.setdefault(number, step)
    with open(source) as file:
        newest = steps(file.read())
    for number in changed | {len(newest)}:
        found[number] = newest[number - 1]
    return [found[number] for number in sorted(found)]


# What the views and the steps call. For texts as simple as those below it is what the program has.
def words(html):
    return html and re.sub(r"<[^>]*>", " ", html).strip()


def keys(guid, link, title, html, site):
    return "[%d]" % (sum(map(ord, link)) if link else 1)


fills = {
    1: """
      INSERT INTO feed (address, title, site, folder, lastFetched, lastAttempt, etag, lastModified)
        VALUES ('https://example.org/feed', 'Wool', 'https://example.org/', 'News', 1700000000.5,
          1700000000.5, '"1"', 'Tue, 14 Nov 2023 22:13:20 GMT');
      INSERT INTO feed (address, failureWhat, failureAdvice, failureDetail, failureDate)
        VALUES ('https://example.net/feed', 'The server is not found.', 'Check it.', 'no host', 5);
      INSERT INTO article
          (feedID, guid, title, author, link, published, firstSeen, listed, readingMinutes, digest)
        VALUES (1, 'a', 'Apple', 'Ann', 'https://example.org/a', 4, 5, 4, 1, -9),
          (1, 'b', 'Banana', NULL, NULL, NULL, 6, 6, NULL, 7),
          (1, 'c', 'Cherry', NULL, 'https://example.org/c', 9, 7, 7, 12, 8),
          (2, 'd', 'Apple', 'Ann', 'https://example.org/a', 4, 8, 4, 1, -9);
      INSERT INTO articleText VALUES (1, '<p>Red wool', 'https://example.org/'),
        (2, '<p>Yellow socks', NULL), (3, '', NULL), (4, '<p>Red wool', NULL);
    """,
    2: """
      UPDATE feed SET notBefore = 1800000000, failureCount = 3, goneSince = 1700000001,
        credentials = 'ann:secret' WHERE id = 2;
      INSERT INTO attachment VALUES (1, 0, 'https://example.org/a.mp3', 'audio/mpeg', 5, 60),
        (1, 1, 'https://example.org/a.png', NULL, NULL, NULL);
    """,
    3: f"""
      UPDATE feed SET customTitle = 'My wool', tags = 'soft{US}daily' WHERE id = 1;
      INSERT INTO feed (address, title, removedAt) VALUES ('https://example.com/feed', 'Gone', 9);
      INSERT INTO article (feedID, guid, title, firstSeen, listed, digest)
        VALUES (3, 'e', 'Elder', 9, 9, 1), (3, 'f', 'Fig', 9, 8, 2);
      INSERT INTO articleText VALUES (5, '<p>Black', NULL), (6, '<p>Green', NULL);
      UPDATE article SET isRead = 1 WHERE id = 1;
      UPDATE article SET isStarred = 1 WHERE id IN (2, 5);
      INSERT INTO articlePosition VALUES (1, 7, 8);
    """,
    4: """
      INSERT INTO search (rowid, title, author, body)
        SELECT id, title, author, body FROM searchable WHERE id IN (1, 2, 5);
      DELETE FROM unindexed WHERE articleID IN (1, 2, 5);
    """,
    5: """
      INSERT INTO dropped VALUES (1, 77, 1700000000);
      INSERT INTO readElsewhere VALUES (2, -78);
      UPDATE feed SET outline = '{"color":"red"}' WHERE id = 1;
    """,
    6: "INSERT INTO emptyFolder (path) VALUES ('Nothing');",
    7: """
      UPDATE article SET title = 'Bananas', digest = 70 WHERE id = 2;
      UPDATE articleText SET html = '<p>Yellow and brown socks' WHERE articleID = 2;
    """,
    8: """
      INSERT INTO droppedArticle
        VALUES (90, 1, 'old', 3, 2, 1, NULL, 86400, 'Old', 'Ann', 'https://example.org/old', 2, 3, 4,
            1, 2, '[[0,"https://example.org/old.mp3","audio/mpeg",6,61]]', NULL, '<p>Ancient'),
          (91, 1, 'more', 4, 3, 0, 5, 86400, 'More', NULL, NULL, NULL, NULL, 5, NULL, NULL, '[]',
            'https://example.org/', '<p>Too many');
      UPDATE storeTime SET clock = 1700000000, elapsed = 172800;
      UPDATE feed SET removedTime = 86400 WHERE id = 3;
    """,
    9: "UPDATE feed SET reloadMinutes = 30, retryAfter = 1800000001 WHERE id = 2;",
    10: """
      UPDATE feed SET beginsInPublic = 1 WHERE id = 1;
      UPDATE feed SET beginsInPublic = 0, privateHost = 'nas.local' WHERE id = 2;
    """,
    11: """
      UPDATE feed SET failureIsLasting = 1 WHERE id = 2;
      INSERT INTO closedFolder VALUES ('News');
    """,
    12: "INSERT INTO listArrangement VALUES (1, 0, 'oldest');",
    13: """
      INSERT INTO article (feedID, guid, title, firstSeen, listed, digest, isMuted)
        VALUES (1, 'g', 'Grape', 10, 10, 3, 1);
      INSERT INTO articleText VALUES (7, '<p>Advertisement', NULL);
    """,
    14: "INSERT INTO ruleChange VALUES (7, 'isMuted', 1);",
    15: f"UPDATE article SET tags = 'later{US}fruit' WHERE id = 3;",
    16: "UPDATE listArrangement SET isGrouped = 1;",
    17: """
      INSERT INTO account (protocol, address, user, passwordCommand, session, hasLabels, lastSynced)
        VALUES ('googlereader', 'https://sync.example.org', 'ann', '["pass","sync"]', '{}', 1, 11);
      INSERT INTO feed (address, title, accountID, remoteID, remoteFolder)
        VALUES ('https://example.org/synced', 'Synced', 1, 'feed/1', 'News');
      INSERT INTO article (feedID, guid, title, firstSeen, listed, digest, isRead, remoteID)
        VALUES (4, 'h', 'Hazelnut', 11, 11, 4, 1, '1:5');
      INSERT INTO articleText VALUES (8, '<p>Brown', NULL);
      INSERT INTO outbox (accountID, item, mark, value) VALUES (1, '1:5', 'isRead', 1);
    """,
    18: """
      INSERT INTO fullText VALUES (1, '<p>All of the red wool', 'https://example.org/a', NULL, 12),
        (4, NULL, NULL, NULL, 12);
      UPDATE feed SET fullText = 1 WHERE id = 1;
    """,
    19: "INSERT INTO readByRule VALUES (1);",
    20: "",
    21: """
      INSERT INTO download (place, articleID, feedTitle, title, address, type, bytes, seconds, state,
          file, validator, playedAt)
        VALUES (1, 1, 'My wool', 'Apple', 'https://example.org/a.mp3', 'audio/mpeg', 5, 60, 'done',
            '/podcasts/a.mp3', '"v"', 13),
          (2, NULL, 'My wool', 'Old', 'https://example.org/old.mp3', NULL, NULL, NULL, 'waiting',
            NULL, NULL, NULL);
    """,
    22: "INSERT INTO arrangementOfList VALUES ('unread', 'title', 1);",
    23: """
      INSERT INTO episodeFile VALUES (1, 'chapters', 'https://example.org/a.json',
        'https://example.org/a.json', '{"version":"1.2.0","chapters":[]}', NULL, 14);
    """,
    24: """
      UPDATE droppedArticle SET rest = '{"page":["<p>Old page",null,null,15.0],"files":[],'
        || '"downloads":[2],"isReadByRule":1}' WHERE id = 90;
    """,
    # No trigger counts an article and has it indexed: whoever inserts it does.
    25: """
      INSERT INTO article (feedID, guid, title, firstSeen, listed, digest, isMuted)
        VALUES (2, 'k', 'Kiwi', 5, 5, 3, 1);
      INSERT INTO articleText SELECT id, '<p>Brown fruit', NULL FROM article WHERE guid = 'k';
      INSERT INTO unindexed SELECT id FROM article WHERE guid = 'k';
      UPDATE feed SET articleCount = articleCount + 1, mutedCount = mutedCount + 1 WHERE id = 2;
    """,
    26: """
      INSERT INTO download (place, feedTitle, title, address, state, failureWhat, failureAdvice,
          retryAfter)
        VALUES (3, 'My wool', 'Busy', 'https://example.org/busy.mp3', 'failed', 'It is busy.', 'Wait.',
          1800000000.5);
    """,
    # Of an article that was dropped, which had no place in the table before.
    27: """
      INSERT INTO ruleChange VALUES (90, 'isRead', 1);
      INSERT INTO strayArticle VALUES (1, '1:9', 'feed/9');
      INSERT INTO formerAddress VALUES ('https://example.org/rss', 1);
    """,
    # Which only an index has known that there is not any more.
    28: """
      INSERT INTO droppedArticle (id, feedID, guid, firstSeen, listed, isRead, countLimit, droppedAt,
          title, digest, attachments, html)
        VALUES (92, 2, 'many', 4, 3, 0, 6, 86400, 'Many', 6, '[]', '<p>Again too many');
    """,
    # It only takes away what is wrong.
    29: "",
}


def main():
    store = sqlite3.connect(":memory:", isolation_level=None)
    store.create_function("searchText", 1, lambda text: text, deterministic=True)
    store.create_function("searchHTML", 1, words, deterministic=True)
    store.create_function("articleKeys", 5, keys, deterministic=True)
    store.execute("PRAGMA foreign_keys = ON")
    for version, step in enumerate(released(), 1):
        store.executescript(f"BEGIN; {step} COMMIT; BEGIN; {fills[version]} COMMIT;")
        store.execute(f"PRAGMA application_id = {0x41726779}")
        store.execute(f"PRAGMA user_version = {version}")
        path = os.path.join(here, f"{version:02}.sqlite")
        if os.path.exists(path):
            continue
        # In small pages, which makes no difference but for the size of the file.
        copy = sqlite3.connect(path, isolation_level=None)
        store.backup(copy)
        copy.execute("PRAGMA page_size = 512")
        copy.execute("VACUUM")
        copy.execute("PRAGMA journal_mode = WAL")
        copy.close()


main()
