import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { before, test } from 'node:test'
import {
  type ArchiveGround,
  type ArchivePlace,
  archiveGround,
  create,
  SOON,
} from './archive-place.test-support.ts'
import { type Data, run, runJson } from './cli.test-support.ts'

let ground: ArchiveGround
let dfids: readonly string[] = []

before(async () => {
  ground = await archiveGround()
  dfids = ground.dfids
})

const place = (): ArchivePlace => ground.place()

async function verify({ at }: ArchivePlace, ...rest: readonly string[]): Promise<Data> {
  return (await runJson(['verify', ...rest, ...at])).data
}

async function exported({ folder, at }: ArchivePlace, ...rest: readonly string[]): Promise<string> {
  const path = join(folder, 'all.ndjson')
  const { exit, data } = await runJson(['ledger', 'export', path, ...rest, ...at])
  assert.equal(exit, 0, JSON.stringify(data))
  return readFileSync(path, 'utf8')
}

function codes({ findings }: Data): readonly string[] {
  return [...new Set<string>(findings.map(({ code }: { code: string }) => code))]
}

function change({ folder }: ArchivePlace, sql: string): number {
  const database = new DatabaseSync(join(folder, 'rubicon.db'))
  try {
    return Number(database.prepare(sql).run().changes)
  } finally {
    database.close()
  }
}

test('a dry run says what would go, and writes nothing', async () => {
  const it = place()
  const { exit, data } = await runJson(['archive', 'create', it.file, ...SOON, ...it.at])
  assert.deepEqual([exit, data.applied, data.archive], [0, false, null])
  assert.ok(data.flows > 1 && data.payloads > data.flows && data.bytes > 1_000)
  assert.equal(existsSync(it.file), false)
  const early = await runJson(['archive', 'create', it.file, '--before', '2000-01-01', ...it.at])
  assert.deepEqual([early.data.flows, early.data.kept.young], [0, data.flows])
  const told = await run(['archive', 'create', it.file, ...SOON, ...it.at])
  assert.match(told.stdout, /would archive \d+ flows/)
  assert.match(told.stderr, /--apply does it/)
  for (const time of ['yesterday', '2026-13-01', ''])
    assert.equal((await run(['archive', 'create', it.file, '--before', time, ...it.at])).exit, 2)
  assert.equal((await run(['archive', 'create', it.file, ...it.at])).exit, 2)
})

test('archived payloads are in the file and not in the store, and verify as before', async () => {
  const it = place()
  const whole = await exported(it)
  const proven = await verify(it)
  const { flows, payloads, archive } = await create(it)
  assert.equal(readFileSync(it.file, 'utf8').trim().split('\n').length, payloads + 1)
  assert.deepEqual(
    readdirSync(it.folder).filter((name) => name.includes('partial')),
    [],
  )
  assert.equal(
    change(it, 'UPDATE entries SET leaf = leaf WHERE payload IS NULL AND packed IS NULL'),
    payloads,
  )
  const listed = await runJson(['archive', 'list', ...it.at])
  assert.deepEqual(listed.data.archives, [{ archive, file: 'old.ndjson', flows, payloads }])

  const again = await verify(it, '--archive', it.file)
  assert.deepEqual([again.ok, again.depth, again.archived, again.erased], [true, 'fold', 0, 0])
  assert.deepEqual(again.tree, proven.tree)
  assert.equal(await exported(it, '--archive', it.file), whole)
  const law = await verify(it, '--law', '--archive', it.file)
  assert.deepEqual([law.ok, law.law.ok, law.law.erased], [true, true, 0])
  assert.ok(law.law.decisions > 0)
  for (const dfid of dfids) {
    const bundle = join(it.folder, `${dfid}.json`)
    const { data } = await runJson(['export', dfid, bundle, '--archive', it.file, ...it.at])
    assert.equal(data.verified, true, dfid)
  }
  const replayed = await runJson(['replay', 'main', '--full', '--archive', it.file, ...it.at])
  assert.deepEqual([replayed.exit, replayed.data.findings], [0, []])
})

test('without its file an archive is never taken for verified', async () => {
  const it = place()
  const { payloads } = await create(it)
  const { exit, data } = await runJson(['verify', ...it.at])
  assert.deepEqual([exit, data.ok, data.strength, data.depth], [4, false, null, 'structure'])
  assert.deepEqual([codes(data), data.archived, data.erased], [['ARCHIVE_MISSING'], payloads, 0])
  const hashes = await runJson(['verify', '--depth', 'structure', ...it.at])
  assert.deepEqual([hashes.exit, hashes.data.ok, hashes.data.archived], [0, true, payloads])
  const told = await run(['verify', '--depth', 'structure', ...it.at])
  assert.match(told.stdout, /payloads lie in archives that were not read/)
  assert.equal((await runJson(['verify', '--law', ...it.at])).data.error.code, 'ARCHIVE_MISSING')
  assert.equal(
    (await runJson(['replay', 'main', ...it.at])).exit,
    0,
    'of commits the World is made',
  )
  const file = join(it.folder, 'all.ndjson')
  const refused = await runJson(['ledger', 'export', file, ...it.at])
  assert.deepEqual([refused.exit, refused.data.error.code], [2, 'FLOW_ARCHIVED'])
  const [dfid = ''] = dfids
  const bundle = await runJson(['export', dfid, join(it.folder, 'one.json'), ...it.at])
  assert.deepEqual([bundle.exit, bundle.data.error.code], [2, 'FLOW_ARCHIVED'])
})

test('a file that was changed, cut or is another store’s is refused', async () => {
  const it = place()
  await create(it)
  const text = readFileSync(it.file, 'utf8')
  const other = place()
  await runJson(['erase', dfids[0] ?? '', '--reason', 'asked for', '--yes', ...other.at])
  await create(other)
  const [header = '', first = '', ...rest] = text.split('\n')
  const cases: readonly (readonly [string, string, string])[] = [
    ['changed', text.replace(/"salt":"./, '"salt":"x'), 'ARCHIVE_FOREIGN'],
    ['short', [header, ...rest].join('\n'), 'ARCHIVE_FOREIGN'],
    ['foreign', readFileSync(other.file, 'utf8'), 'ARCHIVE_FOREIGN'],
    ['cut', text.slice(0, -10), 'ARCHIVE_UNREADABLE'],
    ['spaced', text.replace('"leaf":', '"leaf": '), 'ARCHIVE_UNREADABLE'],
    ['twice', [header, first, first, ...rest].join('\n'), 'ARCHIVE_UNREADABLE'],
    ['empty', '', 'ARCHIVE_UNREADABLE'],
    ['another', '{"format":"rubicon/ledger/2"}\n', 'ARCHIVE_UNREADABLE'],
    ['tenant', text.replace('"tenant":"default"', '"tenant":"acme"'), 'ARCHIVE_FOREIGN'],
  ]
  for (const [name, content, code] of cases) {
    const path = join(it.folder, name)
    writeFileSync(path, content)
    for (const verb of [
      ['verify', '--archive', path],
      ['archive', 'restore', path, '--apply'],
    ]) {
      const { exit, data } = await runJson([...verb, ...it.at])
      assert.deepEqual([exit, data.error?.code], [2, code], `${name}: ${verb[0]}`)
    }
  }
  assert.equal((await run(['verify', '--archive', join(it.folder, 'none'), ...it.at])).exit, 2)
  assert.equal((await verify(it, '--archive', it.file)).ok, true)
})

test('what was put back is what was there', async () => {
  const it = place()
  const whole = await exported(it)
  const { flows, payloads } = await create(it)
  const looked = await runJson(['archive', 'restore', it.file, ...it.at])
  assert.deepEqual(
    [looked.data.applied, looked.data.flows, looked.data.payloads],
    [false, flows, payloads],
  )
  assert.equal((await verify(it)).ok, false)
  const { data } = await runJson(['archive', 'restore', it.file, '--apply', ...it.at])
  assert.deepEqual([data.applied, data.flows, data.payloads, data.kept], [true, flows, payloads, 0])
  assert.equal(await exported(it), whole)
  assert.deepEqual([(await verify(it)).ok, (await verify(it)).archived], [true, 0])
  assert.deepEqual((await runJson(['archive', 'list', ...it.at])).data.archives, [])
  const twice = await runJson(['archive', 'restore', it.file, '--apply', ...it.at])
  assert.deepEqual([twice.exit, twice.data.error.code], [2, 'ARCHIVE_FOREIGN'])
  // And goes again, into the file that is there.
  assert.equal((await create(it)).flows, flows)
  assert.equal((await verify(it, '--archive', it.file)).ok, true)
})

test('a flow in an archive is not erased: the words in the file would outlive it', async () => {
  const it = place()
  await create(it)
  const [dfid = ''] = dfids
  const erase = ['erase', dfid, '--reason', 'asked for', '--yes', ...it.at]
  const refused = await runJson(erase)
  assert.deepEqual([refused.exit, refused.data.error.code], [2, 'FLOW_ARCHIVED'])
  // Nor by its row alone.
  assert.ok(change(it, `UPDATE flows SET tags = '[]' WHERE dfid = '${dfid}'`) === 1)
  assert.equal((await runJson(erase)).data.error.code, 'FLOW_ARCHIVED')
  await runJson(['archive', 'restore', it.file, '--apply', ...it.at])
  assert.equal((await runJson(erase)).exit, 0)
  assert.equal((await verify(it)).ok, true)
  // What was erased does not come back from an old file.
  const old = await runJson(['archive', 'create', it.file, ...SOON, '--apply', ...it.at])
  assert.equal(old.data.error.code, 'ARCHIVE_HOLDS_ERASED')
  const anew = { ...it, file: join(it.folder, 'new.ndjson') }
  const { kept } = await create(anew)
  assert.equal(kept.erased, 1)
  const after = await verify(it, '--archive', anew.file)
  assert.deepEqual([after.ok, after.erased > 0], [true, true])
})

test('a payload that was taken out is not archived by a note that nobody signed', async () => {
  const it = place()
  await create(it)
  const notes = "FROM records WHERE record = 'archive'"
  const away = "kind = 'evidence' OR kind = 'writ'"
  // Without a note: deleted.
  const bare = place()
  assert.ok(change(bare, `UPDATE entries SET payload = NULL, packed = NULL WHERE ${away}`) > 0)
  assert.ok(codes(await verify(bare)).includes('ERASURE_UNSIGNED'))
  assert.equal((await run(['ledger', 'accept-restore', '--reason', 'x', ...bare.at])).exit, 2)
  // With a note of somebody else's making.
  change(
    it,
    `UPDATE records SET body = replace(body, '"leaves":[', '"leaves":[0,') WHERE record = 'archive'`,
  )
  const found = await verify(it)
  assert.deepEqual(
    [found.ok, found.archived, codes(found).includes('ERASURE_UNSIGNED')],
    [false, 0, true],
  )
  const { data } = await runJson([
    'flows',
    'cancel',
    dfids[0] ?? '',
    '--reason',
    'x',
    '--yes',
    ...it.at,
  ])
  assert.ok(data.error !== undefined)
  // A note that is gone.
  const gone = place()
  await create(gone)
  assert.ok(change(gone, `DELETE ${notes}`) > 0)
  assert.deepEqual(codes(await verify(gone, '--depth', 'structure')), ['ERASURE_UNSIGNED'])
  const foreign = await runJson(['verify', '--archive', gone.file, ...gone.at])
  assert.deepEqual([foreign.exit, foreign.data.error.code], [2, 'ARCHIVE_FOREIGN'])
})

test('the store goes on: another flow, a restart, and what is said of an archived one', async () => {
  const it = place()
  await create(it)
  const [dfid = ''] = dfids
  const { data } = await runJson(['flows', 'show', dfid, ...it.at])
  assert.deepEqual([data.flow.tags, data.archive.file], [['ARCHIVED'], 'old.ndjson'])
  const shown = await run(['flows', 'show', dfid, ...it.at])
  assert.match(shown.stdout, /archived in old\.ndjson, sha256:/)
  const doctor = await run(['doctor', ...it.at])
  assert.doesNotMatch(doctor.stdout, /✖/)
  const listed = await run(['archive', 'list', ...it.at])
  assert.match(listed.stdout, /old\.ndjson/)
})
