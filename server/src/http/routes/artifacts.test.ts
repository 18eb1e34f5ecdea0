/** Artifacts that agents planned and applied, as people are shown them over HTTP. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createDirectDesk } from 'rubicon-artifacts/desk'
import { createFileBlobs } from 'rubicon-artifacts/store'
import { hashText, type JsonObject } from 'rubicon-kernel'
import { nodeCrypto } from 'rubicon-verifier'
import {
  type ArtifactStage,
  addMethod,
  assertApplied,
  CLASS_A,
  openStage,
} from '../../../../runtime/src/artifacts/artifact-stage.test-support.ts'
import { createPeople } from '../../people/people.ts'
import type { PersonRole } from '../../people/principal.ts'
import type { HttpAnswer, HttpPlace } from '../agent-auth/client.ts'
import { createLocalLookups } from '../lookups/all.ts'
import { get, problemOf } from '../served.test-support.ts'
import { startServer } from '../server.ts'
import type { TenantParts } from '../server-parts.ts'

const FOLDER = '/v1/trajectories/main/artifacts'
const X = 'src/a.ts class:A/method:x'

function getToken(tenant: string, role: PersonRole): string {
  return `token-of-${role}-in-${tenant}-${'x'.repeat(32)}`
}

function buildParts(stage: ArtifactStage, tenant: string): TenantParts {
  const { engine } = stage.runtime
  const roles: readonly PersonRole[] = ['operator', 'approver', 'auditor']
  const known = roles.map((role) => ({
    ...{ name: role, roles: [role] },
    token_hash: hashText(getToken(tenant, role), nodeCrypto.sha256),
  }))
  const people = createPeople(() => known, nodeCrypto.sha256)
  const blobs = createFileBlobs(join(stage.folder, 'state', 'artifacts'))
  const artifacts = { blobs, desk: createDirectDesk() }
  return { engine, people, lookups: createLocalLookups({ ...engine.context, artifacts }) }
}

type Open = {
  readonly acme: ArtifactStage
  readonly globex: ArtifactStage
  readonly url: string
  readonly ada: HttpPlace
}

async function openTwo(t: TestContext): Promise<Open> {
  const acme = await openStage({ runtime: { tenant: 'acme' } })
  const files = { 'src/secret.ts': 'export const canary = 1\n' }
  const globex = await openStage({ files, runtime: { tenant: 'globex' } })
  // Another tenant has a thread of its own only where its store is a file: it is not the one of the first.
  const { lookups: _, ...beside } = buildParts(globex, 'globex')
  const started = await startServer(
    {
      ...buildParts(acme, 'acme'),
      others: [beside],
      ...{ host: '127.0.0.1', report: () => {} },
    },
    0,
  )
  assert.ok(started.ok)
  const { url } = started.value
  t.after(async () => {
    await started.value.close()
    await acme.close()
    await globex.close()
  })
  return { acme, globex, url, ada: { url, token: getToken('acme', 'auditor') } }
}

function names({ body }: HttpAnswer): readonly string[] {
  return body.artifacts.map(({ name }: { name: string }) => name)
}

test('what agents changed is shown by symbols, as text, as changes and as differences', async (t) => {
  const { acme, ada } = await openTwo(t)
  const before = (await get(ada, FOLDER)).body.moment.seq
  const plan = await acme.plan('ann', [addMethod('x')], [X])
  const plans = await get(ada, `${FOLDER}/plans`)
  assert.deepEqual(
    plans.body.plans.map(({ plan: id, by, symbols, expired }: JsonObject) => [
      id,
      by,
      symbols,
      expired,
    ]),
    [[plan.plan, 'ann', [X], false]],
  )
  assertApplied(await acme.apply('ann', plan))
  const text = await get(ada, `${FOLDER}/text?name=src/a.ts`)
  assert.equal(text.body.text, acme.read('src/a.ts'))
  const then = await get(ada, `${FOLDER}/text?name=src/a.ts&at=${before}`)
  assert.equal(then.body.text, CLASS_A)
  const path = encodeURIComponent('class:A/method:x')
  const slice = await get(ada, `${FOLDER}/text?name=src/a.ts&path=${path}`)
  assert.match(slice.body.text, /^\s*x\(\): number/)
  assert.match(slice.body.definition_hash, /^sha256:/)
  const symbols = await get(ada, `${FOLDER}/symbols?name=src/a.ts&below=class:A&depth=1`)
  assert.deepEqual(
    symbols.body.symbols.map(({ path: one }: { path: string }) => one),
    ['class:A/method:one', 'class:A/method:two', 'class:A/method:x'],
  )
  const more = await get(ada, `${FOLDER}/symbols?name=src/a.ts&limit=2`)
  const rest = await get(ada, `${FOLDER}/symbols?name=src/a.ts&cursor=${more.body.next}`)
  assert.equal(more.body.symbols.length + rest.body.symbols.length, more.body.total)
  const changes = await get(ada, `${FOLDER}/changes?name=src/a.ts`)
  const [applied, adopted] = changes.body.changes
  assert.deepEqual(
    [applied.agent_id, applied.what, applied.plan, applied.symbols, applied.summary],
    ['ann', 'changes', plan.plan, [X], 'addMember class:A'],
  )
  assert.deepEqual([adopted.agent_id, adopted.what, adopted.before], ['keeper', 'adopt', null])
  const compared = await get(ada, `${FOLDER}/comparison?name=src/a.ts&from=${before}`)
  assert.deepEqual(
    compared.body.added.map(({ path: one }: { path: string }) => one),
    ['class:A/method:x'],
  )
  assert.deepEqual(
    [compared.body.by, compared.body.cut, compared.body.removed],
    ['symbols', false, []],
  )
  const none = await get(ada, `${FOLDER}/comparison?name=src/a.ts&from=${before}&to=${before}`)
  assert.deepEqual([none.status, none.body.lines], [200, []])
})

test('a path that names nothing is refused with what could have been meant', async (t) => {
  const { ada } = await openTwo(t)
  const path = encodeURIComponent('class:A/method:gone')
  const missing = await get(ada, `${FOLDER}/text?name=src/a.ts&path=${path}`)
  assert.deepEqual(problemOf(missing), [404, 'TARGET_MISSING'])
  assert.deepEqual(missing.body.meta.candidates, ['class:A/method:one', 'class:A/method:two'])
  const odd = await get(ada, `${FOLDER}/text?name=src/a.ts&path=${encodeURIComponent('a//b')}`)
  assert.deepEqual(problemOf(odd), [422, 'PATH_INVALID'])
  for (const query of ['', '?name=', '?name=a&at=-1', '?name=a&blob=sha256:0'])
    assert.deepEqual(problemOf(await get(ada, `${FOLDER}/text${query}`)), [422, 'SCHEMA_INVALID'])
})

test('an artifact of another tenant is shown', async (t) => {
  const { url, ada } = await openTwo(t)
  assert.deepEqual(names(await get(ada, FOLDER)), ['src/a.ts', 'src/log.ts', 'src/use.ts'])
  const bert = { url, token: getToken('globex', 'operator'), tenant: 'globex' }
  assert.deepEqual(names(await get(bert, FOLDER)), ['src/secret.ts'])
  for (const way of ['text', 'symbols', 'comparison']) {
    const from = way === 'comparison' ? '&from=1' : ''
    const asked = await get(ada, `${FOLDER}/${way}?name=src/secret.ts${from}`)
    assert.deepEqual(problemOf(asked), [404, 'ARTIFACT_UNKNOWN'], way)
  }
  const changes = await get(bert, `${FOLDER}/changes`)
  assert.ok(!JSON.stringify(changes.body).includes('src/a.ts'))
  // What the first tenant consists of is not at hand for another one.
  const text = await get(bert, `${FOLDER}/text?name=src/secret.ts`)
  assert.deepEqual(problemOf(text), [409, 'ARTIFACTS_NOT_CONFIGURED'])
})

test('whoever has no role that reads is shown nothing', async (t) => {
  const { url } = await openTwo(t)
  for (const role of ['operator', 'approver', 'auditor'] as const) {
    const person = { url, token: getToken('acme', role) }
    assert.equal((await get(person, FOLDER)).status, 200, role)
  }
  for (const way of ['', '/text?name=src/a.ts', '/plans', '/changes'])
    assert.deepEqual(problemOf(await get({ url }, `${FOLDER}${way}`)), [401, 'TOKEN_MISSING'])
})
