import { deepEqual, equal, rejects } from 'node:assert/strict'
import { MAIN } from 'rubicon-kernel'
import type {
  PutRecord,
  RecordBodies,
  RecordKind,
  RecordRange,
  RecordRef,
  StoredRecord,
} from '../record.ts'
import type { Guard, Store, Write } from '../store.ts'
import {
  begin,
  buildGuardedUnit,
  buildNote,
  buildWorldCommit,
  commit,
  type RegisterCheck,
} from './fixture.ts'

const STATE: RecordRef = { record: 'agent_state', group: 'agents', key: 'trader' }

export function recordTests(check: RegisterCheck): void {
  check('put_record inserts, then replaces, and counts the version', async ({ store }) => {
    equal(await readState(store), null)
    for (const version of [1, 2, 3]) {
      equal((await commit(store, [putState(`v${version}`)])).ok, true)
      const { group, key } = STATE
      deepEqual(await readState(store), {
        group,
        key,
        version,
        body: buildStateBody(`v${version}`),
      })
    }
    equal((await store.listRecords('agent_state', 'agents', { limit: 10 })).length, 1)
  })

  check(
    'a dropped record is gone, and one whose version is shown counts from 1 again',
    async ({ store }) => {
      await commit(store, [putState('a')])
      await commit(store, [putState('b'), drop(STATE)])
      equal(await readState(store), null)
      deepEqual(await store.listRecords('agent_state', 'agents', { limit: 10 }), [])
      await commit(store, [putState('c')])
      equal((await readState(store))?.version, 1)
      // To drop what is not there is no mistake.
      equal((await commit(store, [drop({ ...STATE, key: 'nobody' })])).ok, true)
      equal((await readState(store))?.version, 1)
    },
  )

  check(
    'what is asked for again and again is never older than the last write',
    async ({ store }) => {
      const ref: RecordRef = { record: 'session_token', group: 'tokens', key: 't' }
      const readToken = async (): Promise<readonly unknown[]> => {
        const one = await store.readRecord('session_token', ref.group, ref.key)
        const listed = await store.listRecords('session_token', ref.group, { limit: 10 })
        deepEqual(listed, one === null ? [] : [one])
        return [one?.version, one?.body.agent_id]
      }
      const write = (agent_id: string): Write =>
        put('session_token', ref.group, ref.key, { agent_id })
      deepEqual(await readToken(), [undefined, undefined])
      await commit(store, [write('a')])
      const [first] = await readToken()
      for (const [i, agent] of ['b', 'c'].entries()) {
        await commit(store, [write(agent)])
        deepEqual(await readToken(), [Number(first) + i + 1, agent])
      }
      const refused = { ...ref, kind: 'record_version', version: 7 } as const
      equal((await store.commit({ guards: [refused], writes: [write('d')] })).ok, false)
      deepEqual(await readToken(), [Number(first) + 2, 'c'])
      await commit(store, [drop(ref)])
      deepEqual(await readToken(), [undefined, undefined])
      await commit(store, [write('e')])
      equal((await readToken())[1], 'e')
    },
  )

  check(
    'a guard on a record that was dropped fails on one that is put again',
    async ({ store }) => {
      const ref = { record: 'session_token', group: 'tokens', key: '1' } as const
      const again = put(ref.record, ref.group, ref.key, { agent_id: 'a' })
      const readVersion = async (): Promise<number | null> =>
        (await store.readRecord('session_token', ref.group, ref.key))?.version ?? null
      await commit(store, [again])
      const seen: (number | null)[] = []
      const ways = [[drop(ref)], [again, drop(ref)], [drop(ref), again, drop(ref)]]
      for (const way of ways) {
        seen.push(await readVersion())
        await commit(store, [...way, again])
        const now = await readVersion()
        for (const version of seen) {
          const stale: Guard = { ...ref, kind: 'record_version', version }
          const outcome = await store.commit(buildGuardedUnit(stale, [drop(ref)]))
          deepEqual(outcome, { ok: false, failed: stale })
        }
        equal(await readVersion(), now)
      }
    },
  )

  check('guard record_version, both ways', async ({ store }) => {
    await commit(store, [putState('a')])
    await commit(store, [putState('b')])
    const buildGuard = (version: number | null, change: Partial<RecordRef> = {}): Guard => {
      return { ...STATE, ...change, kind: 'record_version', version }
    }
    const holds = [
      buildGuard(2),
      buildGuard(null, { key: 'other' }),
      buildGuard(null, { group: 'other' }),
      buildGuard(null, { record: 'observation' }),
    ]
    const fails = [buildGuard(1), buildGuard(3), buildGuard(null), buildGuard(1, { key: 'other' })]
    for (const one of holds) equal((await store.commit(buildGuardedUnit(one))).ok, true, label(one))
    for (const one of fails) {
      deepEqual(await store.commit(buildGuardedUnit(one)), { ok: false, failed: one }, label(one))
    }
    await commit(store, [drop(STATE)])
    equal((await store.commit(buildGuardedUnit(buildGuard(null)))).ok, true)
    deepEqual(await store.commit(buildGuardedUnit(buildGuard(2))), {
      ok: false,
      failed: buildGuard(2),
    })
  })

  check('a unit may change one record several times', async ({ store }) => {
    await commit(store, [putState('a'), putState('b')])
    deepEqual(await readVersionAndValue(store), [2, 'b'])
    await commit(store, [putState('c'), putState('d'), putState('e')])
    deepEqual(await readVersionAndValue(store), [5, 'e'])
    await commit(store, [putState('f'), drop(STATE), putState('g'), putState('h')])
    deepEqual(await readVersionAndValue(store), [2, 'h'])
    await commit(store, [drop(STATE), putState('i')])
    deepEqual(await readVersionAndValue(store), [1, 'i'])
    await commit(store, [putState('j'), drop(STATE)])
    equal(await readState(store), null)
  })

  check('records of a group are read by key, both ways and in ranges', async ({ store }) => {
    const keys = ['05', '01', '04', '02', '03']
    await commit(store, keys.map(putNote))
    const list = async (range: Partial<RecordRange>) =>
      (await store.listRecords('note', 'flow', { limit: 100, ...range })).map(({ key }) => key)
    deepEqual(await list({}), ['01', '02', '03', '04', '05'])
    deepEqual(await list({ newest: false }), ['01', '02', '03', '04', '05'])
    deepEqual(await list({ newest: true }), ['05', '04', '03', '02', '01'])
    deepEqual(await list({ limit: 2 }), ['01', '02'])
    deepEqual(await list({ limit: 2, newest: true }), ['05', '04'])
    deepEqual(await list({ limit: 0 }), [])
    deepEqual(await list({ after: '02' }), ['03', '04', '05'])
    deepEqual(await list({ after: '025' }), ['03', '04', '05'])
    deepEqual(await list({ after: '' }), ['01', '02', '03', '04', '05'])
    deepEqual(await list({ after: '05' }), [])
    deepEqual(await list({ until: '02' }), ['01', '02'])
    deepEqual(await list({ until: '025' }), ['01', '02'])
    deepEqual(await list({ until: '' }), [])
    deepEqual(await list({ after: '01', until: '04' }), ['02', '03', '04'])
    deepEqual(await list({ after: '01', until: '04', newest: true, limit: 2 }), ['04', '03'])
    deepEqual(await list({ after: '04', until: '01' }), [])
  })

  check('keys are ordered by their bytes, whatever language they are in', async ({ store }) => {
    const ordered = ['', '!', '10', '2', 'A', 'B', 'Z', 'a', 'a ', 'aa', 'z', 'ü', 'ü!', '～', '😀']
    await commit(store, ordered.toReversed().map(putNote))
    const listKeys = async (range: Partial<RecordRange>) =>
      (await store.listRecords('note', 'flow', { limit: 100, ...range })).map(({ key }) => key)
    deepEqual(await listKeys({}), ordered)
    deepEqual(await listKeys({ newest: true }), ordered.toReversed())
    for (const [i, key] of ordered.entries()) {
      deepEqual(await listKeys({ after: key }), ordered.slice(i + 1), `after \`${key}\``)
      deepEqual(await listKeys({ until: key }), ordered.slice(0, i + 1), `until \`${key}\``)
      equal((await store.readRecord('note', 'flow', key))?.key, key)
    }
  })

  check('groups and kinds are apart, also where their names run together', async ({ store }) => {
    const names = [
      ['a', 'b'],
      ['ab', ''],
      ['', 'ab'],
      ['a', 'B'],
      ['A', 'b'],
    ] as const
    const puts = names.map(([group, key]) =>
      put('note', group, key, buildNoteBody(`${group}/${key}`)),
    )
    const length = 7
    await commit(store, [
      ...puts,
      put('agent_state', 'a', 'b', buildStateBody('another kind')),
      put('artifact_word', '', 'b', { places: [[0, 1, length]] }),
      put('artifact', '_word', 'b', {
        title: 't',
        label: 'agent',
        hash: 'h',
        chunks: 1,
        length,
      }),
    ])
    deepEqual((await store.readRecord('artifact_word', '', 'b'))?.body, {
      places: [[0, 1, length]],
    })
    equal((await store.readRecord('artifact', '_word', 'b'))?.body.title, 't')
    for (const [group, key] of names) {
      equal((await store.readRecord('note', group, key))?.body.text, `${group}/${key}`)
    }
    const texts = (await store.listRecords('note', 'a', { limit: 9 })).map(({ body }) => body.text)
    deepEqual(texts, ['a/B', 'a/b'])
    deepEqual(await store.listRecords('note', 'missing', { limit: 9 }), [])

    await commit(store, [drop({ record: 'note', group: 'a', key: 'b' })])
    equal(await store.readRecord('note', 'a', 'b'), null)
    equal((await store.readRecord('agent_state', 'a', 'b'))?.body.value, 'another kind')
    equal((await store.listRecords('note', 'a', { limit: 9 })).length, 1)
  })

  check('a body comes back as it was', async ({ store }) => {
    const value = {
      text: `"quoted", 'single', \\back, line\nfeed, NUL \u0000, ü, 😀, \u2028`,
      '': { 'a.b': [], "'; DROP TABLE records; --": {} },
      list: [0, -1.5, 1e21, true, false, null, ''],
    }
    await commit(store, [put('agent_state', 'agents', 'trader', { value, updated_at: 'x' })])
    deepEqual((await readState(store))?.body, { value, updated_at: 'x' })
    for (const one of [null, '', 0, false, [], {}]) {
      await commit(store, [put('agent_state', 'agents', 'trader', { value: one, updated_at: 'x' })])
      deepEqual((await readState(store))?.body.value, one)
    }
  })

  check('a unit that fails leaves no record, and takes none away', async ({ store }) => {
    await begin(store)
    await commit(store, [putState('kept')])
    const writes = [putState('new'), putNote('1'), drop(STATE)]
    const never: Guard = { kind: 'authority_seq', seq: 99 }
    deepEqual(await store.commit(buildGuardedUnit(never, writes)), { ok: false, failed: never })
    const conflict = buildWorldCommit([{ op: 'increment', kind: 'account', id: 'none', by: '1' }])
    equal((await commit(store, [...writes, conflict])).ok, false)
    await rejects(commit(store, [...writes, buildNote('nowhere', 1)]), /invariant broken/)
    deepEqual(await readVersionAndValue(store), [1, 'kept'])
    deepEqual(await store.listRecords('note', 'flow', { limit: 9 }), [])
  })

  check('a record is not named by what a database cannot keep', async ({ store }) => {
    await begin(store)
    for (const name of ['a\0b', 'half \ud83d', '\ude00 half']) {
      const bad = [
        put('note', name, 'k', buildNoteBody('x')),
        put('note', 'flow', name, buildNoteBody('x')),
      ]
      for (const write of bad) {
        await rejects(commit(store, [buildNote(MAIN, 1), putNote('1'), write]), /invariant broken/)
      }
    }
    deepEqual(await store.listRecords('note', 'flow', { limit: 9 }), [])
  })

  check('of concurrent first writes of a record one succeeds (S2)', async ({ store }) => {
    const absent: Guard = { ...STATE, kind: 'record_version', version: null }
    const units = Array.from({ length: 20 }, (_, i) => buildGuardedUnit(absent, [putState(`${i}`)]))
    const outcomes = await Promise.all(units.map((unit) => store.commit(unit)))
    equal(outcomes.filter(({ ok }) => ok).length, 1)
    equal((await readState(store))?.version, 1)
  })

  check('concurrent writers of one record: each version is won once (S2)', async ({ store }) => {
    await commit(store, [putState('0')])
    const step = async (): Promise<void> => {
      const { version, body } = (await readState(store)) ?? {
        version: 0,
        body: buildStateBody('0'),
      }
      const guard: Guard = { ...STATE, kind: 'record_version', version }
      const unit = buildGuardedUnit(guard, [putState(String(Number(body.value) + 1))])
      if (!(await store.commit(unit)).ok) await step()
    }
    await Promise.all(Array.from({ length: 20 }, step))
    deepEqual(await readVersionAndValue(store), [21, '20'])
  })

  check('records are there when the store is opened again (S1)', async (fixture) => {
    const { store } = fixture
    await commit(store, [putState('a'), putNote('1'), putNote('2')])
    await commit(store, [putState('b'), drop({ record: 'note', group: 'flow', key: '1' })])
    const again = await fixture.reopen()
    deepEqual(await readVersionAndValue(again), [2, 'b'])
    const keys = (await again.listRecords('note', 'flow', { limit: 9 })).map(({ key }) => key)
    deepEqual(keys, ['2'])
    await commit(again, [putState('c'), putNote('1')])
    deepEqual(await readVersionAndValue(again), [3, 'c'])
    deepEqual((await again.readRecord('note', 'flow', '1'))?.body, buildNoteBody('note 1'))
  })
}

function put<K extends RecordKind>(
  record: K,
  group: string,
  key: string,
  body: RecordBodies[K],
): PutRecord<K> {
  return { kind: 'put_record', record, group, key, body }
}

function putState(value: string): Write {
  return put('agent_state', STATE.group, STATE.key, buildStateBody(value))
}

function putNote(key: string): Write {
  return put('note', 'flow', key, buildNoteBody(`note ${key}`))
}

function drop(ref: RecordRef): Write {
  return { ...ref, kind: 'drop_record' }
}

function buildStateBody(value: string): RecordBodies['agent_state'] {
  return { value, updated_at: '2026-01-31T09:30:00.000Z' }
}

function buildNoteBody(text: string): RecordBodies['note'] {
  return { at: '2026-01-31T09:30:00.000Z', label: 'agent', text, tokens: 1, flags: [] }
}

function readState(store: Store): Promise<StoredRecord<'agent_state'> | null> {
  return store.readRecord('agent_state', STATE.group, STATE.key)
}

async function readVersionAndValue(store: Store): Promise<unknown> {
  const { version, body } = (await readState(store)) ?? {}
  return [version, body?.value]
}

function label(guard: Guard): string {
  return JSON.stringify(guard)
}
