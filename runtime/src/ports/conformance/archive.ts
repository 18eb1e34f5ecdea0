import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { type ArchiveNote, MAIN, toCanonicalText } from 'rubicon-kernel'
import type { Store, StoredEntry, Write } from '../store.ts'
import {
  begin,
  buildExecutionRow,
  buildNote,
  buildWorldCommit,
  commit,
  putFlow,
  type RegisterCheck,
  toDfid,
} from './fixture.ts'

const DFID = toDfid(1)
const OTHER = toDfid(2)
const LONG = toCanonicalText({ intent: { intent_id: 'x', words: 'word '.repeat(100) } })

const note: ArchiveNote = {
  body: {
    archive: `sha256:${'0'.repeat(64)}`,
    archived_at: '2026-01-31T09:30:00.000Z',
    dfid: DFID,
    file: 'old.ndjson',
    leaves: [1, 3],
    tenant: 'acme',
  },
  signature: { key_id: 'operator-0', sig: 'AA==' },
}
const place = { record: 'archive', group: 'flows', key: DFID } as const
const putNote: Write = { kind: 'put_record', ...place, body: note }
const dropNote: Write = { kind: 'drop_record', ...place }
const archive: Write = { kind: 'archive_flow', dfid: DFID }

/** A flow with a step whose intent stands in its entry, a note and a commit; and another flow. */
async function writeTwoFlows(store: Store): Promise<readonly StoredEntry[]> {
  await begin(store)
  const { intent } = JSON.parse(LONG) as { readonly intent: object }
  const held = { intent: toCanonicalText(intent as never), result: 'kept' }
  await commit(store, [
    putFlow(1, { trigger: 'kept' }),
    putFlow(2, { trigger: 'kept' }),
    { kind: 'append', trajectory: MAIN, entry: 'accepted', dfid: DFID, payload: LONG },
    { kind: 'put_execution', execution: buildExecutionRow(1, 'a', held), entry: 2 },
    buildNote(MAIN, 1, DFID),
    buildNote(MAIN, 2, OTHER),
    buildWorldCommit([{ op: 'create', kind: 'k', id: 'a', value: 'kept' }]),
  ])
  await store.integrate()
  return store.listFlowEntries(DFID)
}

const isMoved = ({ envelope }: StoredEntry): boolean => envelope.kind !== 'commit'

const buildRestore = (entries: readonly StoredEntry[]): Write => ({
  kind: 'restore_flow',
  dfid: DFID,
  payloads: entries.filter(isMoved).map(({ envelope: { trajectory, seq }, payload }) => {
    return { trajectory, seq, payload: payload ?? '' }
  }),
})

export function archiveTests(check: RegisterCheck): void {
  check('archive_flow takes payloads out and leaves the rest', async ({ store, reopen }) => {
    const before = await writeTwoFlows(store)
    const [other] = await store.listFlowEntries(OTHER)
    const [row] = await store.listExecutions({ dfid: DFID, limit: 10 })
    // What was read before must not be remembered.
    await store.readDecision(DFID, 'a', () => [])
    await commit(store, [putNote, archive])
    for (const open of [async () => store, reopen]) {
      const one = await open()
      const after = before.map((entry) => (isMoved(entry) ? { ...entry, payload: null } : entry))
      deepEqual(await one.listFlowEntries(DFID), after)
      deepEqual((await one.listFlowEntries(OTHER))[0], other)
      const [left] = await one.listExecutions({ dfid: DFID, limit: 10 })
      deepEqual({ ...left, intent: '' }, { ...row, intent: '' })
      equal((await one.readFlow(DFID))?.trigger, 'kept')
      deepEqual((await one.readRecord('archive', 'flows', DFID))?.body, note)
    }
  })

  check('restore_flow puts back what was there, byte for byte', async ({ store, reopen }) => {
    const before = await writeTwoFlows(store)
    const steps = await store.listExecutions({ dfid: DFID, limit: 10 })
    await commit(store, [putNote, archive])
    await store.readDecision(DFID, 'a', () => [])
    await commit(store, [dropNote, buildRestore(before)])
    for (const open of [async () => store, reopen]) {
      const one = await open()
      deepEqual(await one.listFlowEntries(DFID), before)
      deepEqual(await one.listExecutions({ dfid: DFID, limit: 10 }), steps)
      equal((await one.readDecision(DFID, 'a', () => []))?.claim?.intent, steps[0]?.intent)
      equal(await one.readRecord('archive', 'flows', DFID), null)
    }
  })

  check(
    'payloads go out only with their note, and come back only with its end',
    async ({ store }) => {
      const before = await writeTwoFlows(store)
      await rejects(commit(store, [archive]))
      await rejects(commit(store, [putNote]))
      await rejects(commit(store, [putNote, { kind: 'archive_flow', dfid: OTHER }]))
      deepEqual(await store.listFlowEntries(DFID), before)
      await commit(store, [putNote, archive])
      await rejects(commit(store, [buildRestore(before)]))
      await rejects(commit(store, [dropNote]))
      ok((await store.listFlowEntries(DFID)).some(({ payload }) => payload === null))
    },
  )

  check('no words come back that were not there', async ({ store }) => {
    const before = await writeTwoFlows(store)
    // Nothing of it is missing yet.
    await rejects(commit(store, [dropNote, buildRestore(before)]))
    await commit(store, [putNote, archive])
    const changed = before.map((entry) => ({ ...entry, payload: '{"other":true}' }))
    await rejects(commit(store, [dropNote, buildRestore(changed)]))
    const foreign: Write = { kind: 'restore_flow', dfid: OTHER, payloads: [] }
    await rejects(commit(store, [dropNote, foreign]))
    const all = await store.listFlowEntries(DFID)
    equal(all.filter(({ payload }) => payload === null).length, all.filter(isMoved).length)
    await commit(store, [dropNote, buildRestore(before)])
    deepEqual(await store.listFlowEntries(DFID), before)
  })
}
