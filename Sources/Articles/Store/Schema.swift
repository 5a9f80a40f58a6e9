import Storage

extension StoreSchema {
  /// The tables of feeds and articles, with the application ID "Argy".
  static let articles = StoreSchema(
    applicationID: 0x4172_6779, steps: articleSteps, functions: articleFunctions)

  static let articleFunctions = [
    SearchText.textFunction, SearchText.htmlFunction, FoldedText.function, DuplicateKeys.function,
  ]

  static let articleSteps: [String] = [
    """
    CREATE TABLE feed (
      -- Never given out again: a screen may still hold the id of a feed that was removed.
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      address TEXT NOT NULL UNIQUE,
      title TEXT NOT NULL DEFAULT '',
      site TEXT,
      folder TEXT,
      lastFetched REAL,
      lastAttempt REAL,
      etag TEXT,
      lastModified TEXT,
      failureWhat TEXT,
      failureAdvice TEXT,
      failureDetail TEXT,
      failureDate REAL
    ) STRICT;

    CREATE TABLE article (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      feedID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
      guid TEXT NOT NULL,
      title TEXT NOT NULL,
      author TEXT,
      link TEXT,
      published REAL,
      firstSeen REAL NOT NULL,
      -- What lists are sorted by: the date, or when it was first seen if that is earlier or all
      -- there is, so that an article dated to the future does not stay on top.
      listed REAL NOT NULL,
      readingMinutes INTEGER,
      -- A hash of what the feed said, so that an unchanged article is not written again.
      digest INTEGER NOT NULL,
      UNIQUE (feedID, guid)
    ) STRICT;
    CREATE INDEX articleByDate ON article (listed DESC, id);
    CREATE INDEX articleByFeed ON article (feedID, listed DESC, id);

    -- Apart from the rows of the lists, so that those lie close together.
    CREATE TABLE articleText (
      articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
      html TEXT NOT NULL,
      base TEXT
    ) STRICT;
    """,
    """
    -- When a server is to be asked again, as far as it or its failures say so.
    ALTER TABLE feed ADD COLUMN notBefore REAL;
    ALTER TABLE feed ADD COLUMN failureCount INTEGER NOT NULL DEFAULT 0;
    -- Since when the server says that the feed is gone for good.
    ALTER TABLE feed ADD COLUMN goneSince REAL;
    -- "user:password", apart from the address, so that nothing shows it by mistake.
    ALTER TABLE feed ADD COLUMN credentials TEXT;

    -- What comes with an article: sound, films, pictures.
    CREATE TABLE attachment (
      articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      address TEXT NOT NULL,
      type TEXT,
      bytes INTEGER,
      seconds INTEGER,
      PRIMARY KEY (articleID, position)
    ) STRICT, WITHOUT ROWID;
    """,
    """
    -- What the user makes of a feed. Lists of names are separated by U+001F.
    ALTER TABLE feed ADD COLUMN customTitle TEXT;
    ALTER TABLE feed ADD COLUMN tags TEXT NOT NULL DEFAULT '';
    -- Kept for a while after the feed was removed, so that this can be taken back.
    ALTER TABLE feed ADD COLUMN removedAt REAL;
    CREATE INDEX feedRemoved ON feed (removedAt) WHERE removedAt IS NOT NULL;

    ALTER TABLE article ADD COLUMN isRead INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE article ADD COLUMN isStarred INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX articleUnread ON article (listed DESC, id) WHERE isRead = 0;
    CREATE INDEX articleStarred ON article (listed DESC, id) WHERE isStarred = 1;

    -- Kept by triggers: a list of feeds is shown often, and counting each time
    -- would read a row of every article.
    ALTER TABLE feed ADD COLUMN articleCount INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE feed ADD COLUMN unreadCount INTEGER NOT NULL DEFAULT 0;
    UPDATE feed SET articleCount = (SELECT COUNT(*) FROM article WHERE feedID = feed.id);
    UPDATE feed SET unreadCount = articleCount;
    CREATE TRIGGER articleAdded AFTER INSERT ON article BEGIN
      UPDATE feed SET articleCount = articleCount + 1, unreadCount = unreadCount + (NOT new.isRead)
        WHERE id = new.feedID;
    END;
    CREATE TRIGGER articleDeleted AFTER DELETE ON article BEGIN
      UPDATE feed SET articleCount = articleCount - 1, unreadCount = unreadCount - (NOT old.isRead)
        WHERE id = old.feedID;
    END;
    CREATE TRIGGER articleMarked AFTER UPDATE OF isRead ON article WHEN new.isRead <> old.isRead
    BEGIN
      UPDATE feed SET unreadCount = unreadCount + old.isRead - new.isRead WHERE id = new.feedID;
    END;

    -- Where the reading of an article stopped.
    CREATE TABLE articlePosition (
      articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
      block INTEGER NOT NULL,
      offset INTEGER NOT NULL
    ) STRICT;
    """,
    """
    -- What is searched is not kept a second time: the index asks for it when it needs it. So what
    -- the functions make of a text must stay the same, or the index be rebuilt by another step.
    CREATE VIEW searchable AS
      SELECT id, searchText(title) AS title, searchText(author) AS author, searchHTML(html) AS body
      FROM article JOIN articleText ON articleID = id;
    CREATE VIRTUAL TABLE search USING fts5(
      title, author, body, content = 'searchable', content_rowid = 'id',
      -- With marks as parts of words: many scripts write their vowels with them.
      tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'");
    -- Words in a title weigh more than those in a text.
    INSERT INTO search (search, rank) VALUES ('rank', 'bm25(8.0, 4.0, 1.0)');

    -- Articles that the index does not have yet: making it takes longer than storing them, and
    -- nobody waits for it during a reload.
    CREATE TABLE unindexed (
      articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE
    ) STRICT;
    INSERT INTO unindexed SELECT id FROM article;
    CREATE TRIGGER articleToIndex AFTER INSERT ON article BEGIN
      INSERT INTO unindexed VALUES (new.id);
    END;
    -- Before anything changes, since the index forgets only what it is told in full.
    CREATE TRIGGER articleToIndexAgain BEFORE UPDATE OF title, author, digest ON article
    WHEN NOT EXISTS (SELECT 1 FROM unindexed WHERE articleID = old.id) BEGIN
      INSERT INTO search (search, rowid, title, author, body)
        SELECT 'delete', id, title, author, body FROM searchable WHERE id = old.id;
      INSERT INTO unindexed VALUES (old.id);
    END;
    CREATE TRIGGER articleToForget BEFORE DELETE ON article
    WHEN NOT EXISTS (SELECT 1 FROM unindexed WHERE articleID = old.id) BEGIN
      INSERT INTO search (search, rowid, title, author, body)
        SELECT 'delete', id, title, author, body FROM searchable WHERE id = old.id;
    END;
    """,
    """
    -- For what is dropped by its age.
    CREATE INDEX articleAge ON article (isRead, firstSeen) WHERE isStarred = 0;

    -- What was dropped while its feed may still carry it, by a hash of its guid: it is not new.
    CREATE TABLE dropped (
      feedID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
      guid INTEGER NOT NULL,
      seen REAL NOT NULL,
      PRIMARY KEY (feedID, guid)
    ) STRICT, WITHOUT ROWID;

    -- What was read in another program, by a hash of its guid or address, until its feed was
    -- fetched here.
    CREATE TABLE readElsewhere (
      feedID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
      mark INTEGER NOT NULL,
      PRIMARY KEY (feedID, mark)
    ) STRICT, WITHOUT ROWID;

    -- The attributes that a list of feeds gave a feed and that mean nothing here, as JSON: they are
    -- written back.
    ALTER TABLE feed ADD COLUMN outline TEXT;
    """,
    """
    -- Folders of lists of feeds that had nothing in them: they are written back as long as that is
    -- so. The names are separated by U+001F.
    CREATE TABLE emptyFolder (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE) STRICT;
    """,
    """
    -- The index of the search forgets an article by a note beside its words; both stay until the
    -- parts that they are in are merged, which by itself happens ever more seldom. So here is
    -- counted how many articles it was told to forget since all of its parts were merged.
    CREATE TABLE searchWaste (forgotten INTEGER NOT NULL) STRICT;
    INSERT INTO searchWaste
      SELECT COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'article'), 0)
        - (SELECT COUNT(*) FROM article);
    DROP TRIGGER articleToIndexAgain;
    CREATE TRIGGER articleToIndexAgain BEFORE UPDATE OF title, author, digest ON article
    WHEN NOT EXISTS (SELECT 1 FROM unindexed WHERE articleID = old.id) BEGIN
      INSERT INTO search (search, rowid, title, author, body)
        SELECT 'delete', id, title, author, body FROM searchable WHERE id = old.id;
      INSERT INTO unindexed VALUES (old.id);
      UPDATE searchWaste SET forgotten = forgotten + 1;
    END;
    DROP TRIGGER articleToForget;
    CREATE TRIGGER articleToForget BEFORE DELETE ON article
    WHEN NOT EXISTS (SELECT 1 FROM unindexed WHERE articleID = old.id) BEGIN
      INSERT INTO search (search, rowid, title, author, body)
        SELECT 'delete', id, title, author, body FROM searchable WHERE id = old.id;
      UPDATE searchWaste SET forgotten = forgotten + 1;
    END;
    """,
    """
    -- Articles that were dropped, as they were: they come back when it was a wrong clock, or a setting
    -- that was typed by mistake, that dropped them.
    CREATE TABLE droppedArticle (
      id INTEGER PRIMARY KEY,
      feedID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
      guid TEXT NOT NULL,
      firstSeen REAL NOT NULL,
      listed REAL NOT NULL,
      isRead INTEGER NOT NULL,
      -- The setting of how many articles a feed has by which it was dropped; NULL for its age.
      countLimit INTEGER,
      -- When, by the time of this store.
      droppedAt REAL NOT NULL,
      title TEXT NOT NULL,
      author TEXT,
      link TEXT,
      published REAL,
      readingMinutes INTEGER,
      digest INTEGER NOT NULL,
      block INTEGER,
      offset INTEGER,
      -- Each with its position, address, type, bytes and seconds, as JSON.
      attachments TEXT NOT NULL,
      base TEXT,
      html TEXT NOT NULL
    ) STRICT;
    CREATE INDEX droppedByAge ON droppedArticle (isRead, firstSeen) WHERE countLimit IS NULL;
    CREATE INDEX droppedByCount ON droppedArticle (feedID, listed DESC, id)
      WHERE countLimit IS NOT NULL;
    CREATE INDEX droppedAt ON droppedArticle (droppedAt);

    -- The time of this store: it goes on by at most a day from one look at the clock to the next, so
    -- that nothing is deleted for good because a clock is wrong.
    CREATE TABLE storeTime (clock REAL NOT NULL, elapsed REAL NOT NULL) STRICT;
    INSERT INTO storeTime VALUES (0, 0);
    -- When a feed was removed, by that time.
    ALTER TABLE feed ADD COLUMN removedTime REAL;
    UPDATE feed SET removedTime = 0 WHERE removedAt IS NOT NULL;
    """,
    """
    -- After how many minutes a feed is reloaded by itself; 0 for never, none for as it is set for all.
    ALTER TABLE feed ADD COLUMN reloadMinutes INTEGER;
    -- Until when a server that was asked too often allows no other request.
    ALTER TABLE feed ADD COLUMN retryAfter REAL;
    """,
    """
    -- Where the feed was found: whether its address led to the public network when it was fetched
    -- first, which is unknown before, and the private host that its articles came from.
    ALTER TABLE feed ADD COLUMN beginsInPublic INTEGER;
    ALTER TABLE feed ADD COLUMN privateHost TEXT;
    """,
    """
    -- Whether the last failure of a feed is one that trying again cannot help.
    ALTER TABLE feed ADD COLUMN failureIsLasting INTEGER NOT NULL DEFAULT 0;
    -- The folders that a screen shows without what is in them, by their names separated by U+001F.
    CREATE TABLE closedFolder (path TEXT PRIMARY KEY NOT NULL) STRICT;
    """,
    """
    -- How screens show lists: one row, or none as long as that was not changed.
    CREATE TABLE listArrangement (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      isOnlyUnread INTEGER NOT NULL,
      articleOrder TEXT NOT NULL
    ) STRICT;
    """,
    """
    -- What a rule has muted is in no list and no count but those that ask for it.
    ALTER TABLE article ADD COLUMN isMuted INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE droppedArticle ADD COLUMN isMuted INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX articleMuted ON article (listed DESC, id) WHERE isMuted = 1;
    -- Of articleCount, which has all; unreadCount is about the others.
    ALTER TABLE feed ADD COLUMN mutedCount INTEGER NOT NULL DEFAULT 0;
    DROP TRIGGER articleAdded;
    CREATE TRIGGER articleAdded AFTER INSERT ON article BEGIN
      UPDATE feed SET articleCount = articleCount + 1, mutedCount = mutedCount + new.isMuted,
          unreadCount = unreadCount + (NOT new.isRead AND NOT new.isMuted)
        WHERE id = new.feedID;
    END;
    DROP TRIGGER articleDeleted;
    CREATE TRIGGER articleDeleted AFTER DELETE ON article BEGIN
      UPDATE feed SET articleCount = articleCount - 1, mutedCount = mutedCount - old.isMuted,
          unreadCount = unreadCount - (NOT old.isRead AND NOT old.isMuted)
        WHERE id = old.feedID;
    END;
    DROP TRIGGER articleMarked;
    CREATE TRIGGER articleMarked AFTER UPDATE OF isRead, isMuted ON article
    WHEN new.isRead <> old.isRead OR new.isMuted <> old.isMuted BEGIN
      UPDATE feed SET mutedCount = mutedCount + new.isMuted - old.isMuted,
          unreadCount = unreadCount + (NOT new.isRead AND NOT new.isMuted)
            - (NOT old.isRead AND NOT old.isMuted)
        WHERE id = new.feedID;
    END;
    """,
    """
    -- What rules have changed when they were last applied to everything: it can be taken back.
    CREATE TABLE ruleChange (
      articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
      mark TEXT NOT NULL,
      value INTEGER NOT NULL,
      PRIMARY KEY (articleID, mark)
    ) STRICT, WITHOUT ROWID;
    """,
    """
    -- What the user calls an article: names separated by U+001F, as those of a feed.
    ALTER TABLE article ADD COLUMN tags TEXT NOT NULL DEFAULT '';
    CREATE INDEX articleTagged ON article (listed DESC, id) WHERE tags <> '';
    """,
    """
    ALTER TABLE listArrangement ADD COLUMN isGrouped INTEGER NOT NULL DEFAULT 0;
    """,
    """
    -- Accounts on servers that keep feeds and marks for several readers.
    CREATE TABLE account (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      protocol TEXT NOT NULL,
      address TEXT NOT NULL,
      user TEXT NOT NULL,
      -- The program that prints the password, with its arguments, as JSON; NULL for one that is kept.
      passwordCommand TEXT,
      -- What the server gave in exchange for the password, as JSON.
      session TEXT,
      -- Whether it knows the names of articles; NULL as long as nobody has tried.
      hasLabels INTEGER,
      lastSynced REAL,
      lastAttempt REAL,
      -- Since when the server cannot be reached.
      offlineSince REAL,
      failureWhat TEXT,
      failureAdvice TEXT,
      failureDetail TEXT,
      failureIsLasting INTEGER NOT NULL DEFAULT 0,
      failureDate REAL,
      failureCount INTEGER NOT NULL DEFAULT 0,
      retryAfter REAL,
      UNIQUE (address, user)
    ) STRICT;
    -- The account that a feed is of, what the server calls it, and the folder that it had there last:
    -- another one here is a move that the server does not know yet.
    ALTER TABLE feed ADD COLUMN accountID INTEGER REFERENCES account(id) ON DELETE SET NULL;
    ALTER TABLE feed ADD COLUMN remoteID TEXT;
    ALTER TABLE feed ADD COLUMN remoteFolder TEXT;
    CREATE INDEX feedAccount ON feed (accountID) WHERE accountID IS NOT NULL;
    -- What the server calls an article.
    ALTER TABLE article ADD COLUMN remoteID TEXT;
    ALTER TABLE droppedArticle ADD COLUMN remoteID TEXT;
    CREATE INDEX articleRemote ON article (remoteID) WHERE remoteID IS NOT NULL;

    -- Marks that their server does not know yet. By the server's name of the article, since an article
    -- may be dropped before that; with a revision that is never given out again, so that one that
    -- changes while it is sent is known from the one that was sent.
    CREATE TABLE outbox (
      revision INTEGER PRIMARY KEY AUTOINCREMENT,
      accountID INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
      item TEXT NOT NULL,
      mark TEXT NOT NULL,
      value INTEGER NOT NULL,
      UNIQUE (accountID, item, mark)
    ) STRICT;
    """,
    """
    -- The text of an article from its web page; no html where it could not be had.
    CREATE TABLE fullText (
      articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
      html TEXT,
      base TEXT,
      -- The host of a private network that it came from.
      privateHost TEXT,
      fetched REAL NOT NULL
    ) STRICT;
    -- Whether the full text of a feed's articles is fetched; none for as it is set for all.
    ALTER TABLE feed ADD COLUMN fullText INTEGER;

    -- Both texts are searched: the feed's may be a summary in other words.
    DROP VIEW searchable;
    CREATE VIEW searchable AS
      SELECT id, searchText(title) AS title, searchText(author) AS author,
        searchHTML(articleText.html) || COALESCE(' ' || searchHTML(fullText.html), '') AS body
      FROM article JOIN articleText ON articleText.articleID = id
        LEFT JOIN fullText ON fullText.articleID = id;
    CREATE TRIGGER fullTextAdded BEFORE INSERT ON fullText
    WHEN new.html IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM unindexed WHERE articleID = new.articleID)
    BEGIN
      INSERT INTO search (search, rowid, title, author, body)
        SELECT 'delete', id, title, author, body FROM searchable WHERE id = new.articleID;
      INSERT INTO unindexed VALUES (new.articleID);
      UPDATE searchWaste SET forgotten = forgotten + 1;
    END;
    -- With its article it goes without a trace: that one was forgotten before.
    CREATE TRIGGER fullTextDeleted BEFORE DELETE ON fullText
    WHEN old.html IS NOT NULL AND EXISTS (SELECT 1 FROM article WHERE id = old.articleID)
      AND NOT EXISTS (SELECT 1 FROM unindexed WHERE articleID = old.articleID)
    BEGIN
      INSERT INTO search (search, rowid, title, author, body)
        SELECT 'delete', id, title, author, body FROM searchable WHERE id = old.articleID;
      INSERT INTO unindexed VALUES (old.articleID);
      UPDATE searchWaste SET forgotten = forgotten + 1;
    END;
    """,
    """
    -- What an article is known by in every feed, as hashes: its address, its id, its title and text.
    CREATE TABLE articleKey (
      key INTEGER NOT NULL,
      articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
      PRIMARY KEY (key, articleID)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX articleKeyOf ON articleKey (articleID);
    -- One number for all copies of an article that several feeds have; none for those that one has.
    ALTER TABLE article ADD COLUMN sameAs INTEGER;
    CREATE INDEX articleCopies ON article (sameAs, id) WHERE sameAs IS NOT NULL;
    -- What a rule has marked as read: a copy of it in another feed may be wanted.
    CREATE TABLE readByRule (
      articleID INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE
    ) STRICT;

    INSERT INTO articleKey SELECT value, article.id
      FROM article JOIN articleText ON articleText.articleID = article.id
        JOIN feed ON feed.id = feedID, json_each(articleKeys(guid, link, article.title, html, site));
    CREATE TEMP TABLE goodKey (key INTEGER PRIMARY KEY);
    INSERT INTO goodKey SELECT key FROM articleKey JOIN article ON article.id = articleID
      GROUP BY key HAVING COUNT(*) BETWEEN 2 AND 19 AND COUNT(*) = COUNT(DISTINCT feedID);
    -- Those that only a chain of others links stay apart, all of them, until one of them changes.
    UPDATE article SET sameAs = (
      SELECT MIN(other.articleID) FROM articleKey AS own JOIN articleKey AS other
        ON other.key = own.key WHERE own.articleID = article.id AND own.key IN goodKey)
    WHERE id IN (SELECT articleID FROM articleKey WHERE key IN goodKey);
    UPDATE article SET sameAs = NULL WHERE sameAs IN (
      SELECT one.sameAs FROM goodKey
        JOIN articleKey AS oneKey ON oneKey.key = goodKey.key
        JOIN article AS one ON one.id = oneKey.articleID
        JOIN articleKey AS otherKey ON otherKey.key = goodKey.key
        JOIN article AS other ON other.id = otherKey.articleID
      WHERE one.sameAs <> other.sameAs);
    DROP TABLE goodKey;
    UPDATE article SET sameAs = NULL WHERE sameAs IN (
      SELECT sameAs FROM article WHERE sameAs IS NOT NULL
      GROUP BY sameAs HAVING COUNT(*) NOT BETWEEN 2 AND 19 OR COUNT(*) <> COUNT(DISTINCT feedID));
    """,
    """
    -- The words of the index, with how many articles have each: asked for those that are like a word
    -- that was mistyped. It keeps nothing itself.
    CREATE VIRTUAL TABLE searchWord USING fts5vocab(search, 'row');
    """,
    """
    -- What is enclosed with articles, such as episodes of podcasts, and is downloaded.
    CREATE TABLE download (
      -- Never given out again: the part of a file has its name by it.
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      -- In the queue.
      place INTEGER NOT NULL,
      articleID INTEGER REFERENCES article(id) ON DELETE SET NULL,
      feedTitle TEXT NOT NULL,
      title TEXT NOT NULL,
      address TEXT NOT NULL UNIQUE,
      type TEXT,
      bytes INTEGER,
      seconds INTEGER,
      -- The host of a private network that the article came from.
      privateHost TEXT,
      -- waiting, paused, failed or done.
      state TEXT NOT NULL,
      -- The path of the whole file.
      file TEXT,
      -- What the server called the file whose part is on the disk.
      validator TEXT,
      failureWhat TEXT,
      failureAdvice TEXT,
      failureDetail TEXT,
      failureIsLasting INTEGER NOT NULL DEFAULT 0,
      playedAt REAL,
      removedAt REAL
    ) STRICT;
    CREATE INDEX downloadArticle ON download (articleID);
    """,
    """
    -- How screens show the lists that are sorted or grouped in a way of their own.
    CREATE TABLE arrangementOfList (
      list TEXT PRIMARY KEY NOT NULL,
      articleOrder TEXT NOT NULL,
      isGrouped INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """,
    """
    -- The chapters of an episode, or what is said in it, as the file came that the feed names.
    CREATE TABLE episodeFile (
      articleID INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
      -- chapters or transcript.
      kind TEXT NOT NULL,
      -- What the feed calls it, and where it came from in the end.
      address TEXT NOT NULL,
      base TEXT NOT NULL,
      text TEXT NOT NULL,
      -- The host of a private network that it came from.
      privateHost TEXT,
      fetched REAL NOT NULL,
      PRIMARY KEY (articleID, kind)
    ) STRICT;
    """,
    """
    -- What else belongs to an article that was dropped, as JSON: the text of its page, what is stored
    -- of its episode, its downloads, and whether it was a rule that marked it as read.
    ALTER TABLE droppedArticle ADD COLUMN rest TEXT NOT NULL DEFAULT '{}';
    """,
    """
    -- What these did for each row is done once for all articles that arrive together.
    DROP TRIGGER articleAdded;
    DROP TRIGGER articleToIndex;
    """,
    """
    -- When the server of a failed download allows another request.
    ALTER TABLE download ADD COLUMN retryAfter REAL;
    """,
    """
    -- Without a reference to the article: one that was dropped comes back when this is undone.
    CREATE TEMP TABLE referringChange AS SELECT * FROM ruleChange;
    DROP TABLE ruleChange;
    CREATE TABLE ruleChange (
      articleID INTEGER NOT NULL,
      mark TEXT NOT NULL,
      value INTEGER NOT NULL,
      PRIMARY KEY (articleID, mark)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO ruleChange (articleID, mark, value)
      SELECT articleID, mark, value FROM referringChange;
    DROP TABLE referringChange;

    -- Articles in the lists of an account whose feed is not here, by what the server calls both:
    -- they are not fetched again until it is.
    CREATE TABLE strayArticle (
      accountID INTEGER NOT NULL REFERENCES account(id) ON DELETE CASCADE,
      item TEXT NOT NULL,
      feed TEXT NOT NULL,
      PRIMARY KEY (accountID, item)
    ) STRICT, WITHOUT ROWID;

    -- Addresses that feeds had before their server or a web page named another: lists still have
    -- them.
    CREATE TABLE formerAddress (
      address TEXT PRIMARY KEY NOT NULL,
      feedID INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX formerAddressOf ON formerAddress (feedID);
    """,
    """
    -- Also for those that were dropped because of their age: a removed feed is deleted with all of its
    -- articles. With all that is asked of them at every reload, so that no text is read.
    DROP INDEX droppedByCount;
    CREATE INDEX droppedByFeed ON droppedArticle (feedID, listed DESC, id, countLimit);

    -- Nothing reads it.
    ALTER TABLE account DROP COLUMN failureDate;
    """,
    """
    -- Also once its account is removed, an address that a server has named is not the user's.
    UPDATE feed SET beginsInPublic = 2
      WHERE beginsInPublic = 1 AND accountID IS NOT NULL AND remoteID IS NOT NULL;

    -- Each server of accounts numbers its articles: those of two with one number are no copies.
    CREATE TEMP TABLE numbered AS SELECT id, sameAs FROM article WHERE guid IN (
      SELECT guid FROM article WHERE guid GLOB 'tag:google.com,2005:reader/item/*'
      GROUP BY guid HAVING COUNT(*) > 1);
    CREATE TEMP TABLE parted (id INTEGER PRIMARY KEY);
    INSERT INTO parted SELECT id FROM article WHERE sameAs IN (SELECT sameAs FROM numbered);
    UPDATE article SET sameAs = NULL WHERE id IN parted;
    DELETE FROM articleKey WHERE articleID IN (SELECT id FROM numbered);
    INSERT INTO articleKey SELECT value, numbered.id
      FROM numbered JOIN article ON article.id = numbered.id
        JOIN articleText ON articleText.articleID = article.id
        JOIN feed ON feed.id = feedID, json_each(articleKeys(guid, link, article.title, html, site));
    DROP TABLE numbered;
    -- Of these, copies by something else are joined again, as above.
    CREATE TEMP TABLE goodKey (key INTEGER PRIMARY KEY);
    INSERT INTO goodKey SELECT key FROM articleKey JOIN article ON article.id = articleID
      WHERE key IN (SELECT key FROM articleKey WHERE articleID IN parted)
      GROUP BY key HAVING COUNT(*) BETWEEN 2 AND 19 AND COUNT(*) = COUNT(DISTINCT feedID);
    UPDATE article SET sameAs = (
      SELECT MIN(other.articleID) FROM articleKey AS own JOIN articleKey AS other
        ON other.key = own.key WHERE own.articleID = article.id AND own.key IN goodKey)
    WHERE id IN parted;
    DROP TABLE parted;
    UPDATE article SET sameAs = NULL WHERE sameAs IN (
      SELECT one.sameAs FROM goodKey
        JOIN articleKey AS oneKey ON oneKey.key = goodKey.key
        JOIN article AS one ON one.id = oneKey.articleID
        JOIN articleKey AS otherKey ON otherKey.key = goodKey.key
        JOIN article AS other ON other.id = otherKey.articleID
      WHERE one.sameAs <> other.sameAs);
    DROP TABLE goodKey;
    UPDATE article SET sameAs = NULL WHERE sameAs IN (
      SELECT sameAs FROM article WHERE sameAs IS NOT NULL
      GROUP BY sameAs HAVING COUNT(*) NOT BETWEEN 2 AND 19 OR COUNT(*) <> COUNT(DISTINCT feedID));
    """,
  ]
}
