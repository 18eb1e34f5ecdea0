/**
 * The floor: the same cryptography and the same rows in a bare loop, at the same durability, with
 * nothing in between. Per decision: 1 signature, 2 verifications, 8 hashes of 1 KB, 9 rows of 1,200
 * bytes; 2 commits per batch.
 */
import { generateKeyPairSync, hash, randomBytes, sign, verify } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const ROWS = 9
const HASHES = 8

export type Floor = {
  /** Runs one batch of decisions. */
  runBatch(decisions: number): void
  close(): void
}

export function createFloor(): Floor {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-floor-'))
  const database = new DatabaseSync(join(folder, 'floor.db'))
  database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL')
  database.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT NOT NULL)')
  const insert = database.prepare('INSERT INTO rows (body) VALUES (?)')
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const kilobyte = randomBytes(1024)
  const row = randomBytes(600).toString('hex')
  const signature = sign(null, kilobyte, privateKey)

  const insertRows = (decisions: number, rows: number): void => {
    database.exec('BEGIN IMMEDIATE')
    for (let i = 0; i < decisions * rows; i++) insert.run(row)
    database.exec('COMMIT')
  }
  return {
    runBatch(decisions) {
      for (let i = 0; i < decisions; i++) {
        sign(null, kilobyte, privateKey)
        verify(null, kilobyte, publicKey, signature)
        verify(null, kilobyte, publicKey, signature)
        for (let h = 0; h < HASHES; h++) hash('sha256', kilobyte, 'hex')
      }
      insertRows(decisions, Math.ceil(ROWS / 2))
      insertRows(decisions, Math.floor(ROWS / 2))
    },
    close() {
      database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
