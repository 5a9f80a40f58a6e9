import GRDB
import Storage

extension StoreSchema {
  /// Returns the schema of the drawer; a new drawer contains `socks`.
  static func drawer(filledWith socks: [Sock]) -> StoreSchema {
    StoreSchema(applicationID: 0x4172_536F, steps: drawerSteps) { database in
      for sock in socks { try database.insert(sock) }
      for sock in socks {
        if let pair = sock.pair { try database.setPair(of: sock.id, to: pair) }
      }
    }
  }

  /// The migration steps of files with the application ID "ArSo".
  static let drawerSteps: [String] = [
    """
    CREATE TABLE sock (
      -- Also the order in which socks came into the drawer; every index ends in it.
      key INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
      name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
      picture TEXT CHECK (length(picture) BETWEEN 1 AND 4000),
      sogginess INTEGER NOT NULL CHECK (sogginess BETWEEN 0 AND 100),
      pattern TEXT NOT NULL CHECK (length(pattern) <= 200),
      colour TEXT NOT NULL CHECK (length(colour) <= 200),
      -- Nobody is the other one of two, or of itself.
      pair TEXT UNIQUE REFERENCES sock(id) ON DELETE SET NULL CHECK (pair <> id),
      notes TEXT NOT NULL CHECK (length(notes) <= 20000),
      created INTEGER NOT NULL,
      changed INTEGER NOT NULL,
      -- The name without regard to case.
      sortName TEXT NOT NULL,
      -- All that is searched, without regard to case.
      searchText TEXT NOT NULL
    ) STRICT;
    CREATE INDEX sockByName ON sock (sortName);
    CREATE INDEX sockBySogginess ON sock (sogginess);
    CREATE INDEX sockByPattern ON sock (pattern);
    CREATE INDEX sockByColour ON sock (colour);
    CREATE INDEX sockByCreated ON sock (created);
    CREATE INDEX sockByChanged ON sock (changed);
    -- For the partners of a sock.
    CREATE INDEX sockByLook ON sock (pattern, colour, sortName);
    """,
    // An index of all sequences of three characters, so that any part of a text is found without
    // reading each row. The text itself is not copied.
    """
    CREATE VIRTUAL TABLE sockText USING fts5(
      searchText, content='sock', content_rowid='key', tokenize='trigram case_sensitive 1');
    CREATE TRIGGER sockTextAdded AFTER INSERT ON sock BEGIN
      INSERT INTO sockText (rowid, searchText) VALUES (new.key, new.searchText);
    END;
    CREATE TRIGGER sockTextRemoved AFTER DELETE ON sock BEGIN
      INSERT INTO sockText (sockText, rowid, searchText)
      VALUES ('delete', old.key, old.searchText);
    END;
    CREATE TRIGGER sockTextChanged AFTER UPDATE OF searchText ON sock BEGIN
      INSERT INTO sockText (sockText, rowid, searchText)
      VALUES ('delete', old.key, old.searchText);
      INSERT INTO sockText (rowid, searchText) VALUES (new.key, new.searchText);
    END;
    INSERT INTO sockText (sockText) VALUES ('rebuild');
    """,
    AppliedChanges.schema,
  ]
}
