/**
 * Policies in every form that the guides show, in every place that takes them: one set of rules,
 * under one hash, whoever loads it.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { createRuntime, loadPolicy } from '../../../runtime/src/index.ts'
import { ask } from '../http/agent-auth/client.ts'
import { serve } from '../http/serve.ts'
import { type Data, home, run, runJson } from './cli.test-support.ts'
import { startUpHere } from './up.test-support.ts'

const CEDAR = `@id("closed-orders")
forbid(principal, action == Action::"REFUND", resource)
when { context.params.order like "closed-*" };
`
const SMALL = `forbid(principal, action, resource) when { context.params.order like "small-*" };`
const NIGHT = `export const policy = {
  name: 'night', version: '1', applies_to: ['REFUND'],
  evaluate: ({ proposal }) => proposal.params.order.startsWith('night-')
    ? { decision: { kind: 'deny', reason: 'at night' } }
    : { decision: null },
}
`
const MODULE = `import { policy as night } from './night.mjs'
export const capabilities = [{
  kind: 'REFUND', effect: 'keyed', risk: 'low', reversible: true,
  idempotency: { carrier: 'Idempotency-Key', window_s: 86400 },
  params: {
    type: 'object',
    properties: { order: { type: 'string' }, amount: { type: 'string' } },
    required: ['order', 'amount'], additionalProperties: false,
  },
  measures: { refund_usd: ({ amount }) => amount },
  execute: () => ({ result: 'paid' }),
}]
export const policies = [
  'desk.cedar',
  'night.mjs',
  ${JSON.stringify(SMALL)},
  { name: 'named', text: ${JSON.stringify(SMALL.replace('small', 'named'))} },
  { ...night, name: 'written' },
]
`
const CONTRACT = {
  agent_id: 'refunds_bot',
  version: '1.0.0',
  owner: 'jane.doe@example.com',
  effective_from: '2025-01-01',
  mission: 'Give customers back what they are owed.',
  permissions: { policy_kinds: ['REFUND'] },
}
const NAMES = [/^desk$/, /^night$/, /^cedar-[0-9a-f]{12}$/, /^named$/, /^written$/]

const { at, folder } = home()
const rules = join(folder, 'rules.mjs')
const kept = join(folder, 'case.json')
let tried: Data

/** What the library decides under all forms, on the store that the verbs read afterwards. */
before(async () => {
  writeFileSync(join(folder, 'desk.cedar'), CEDAR)
  writeFileSync(join(folder, 'night.mjs'), NIGHT)
  writeFileSync(rules, MODULE)
  const { capabilities, policies } = await import(pathToFileURL(rules).href)
  const [desk, night, ...rest] = policies
  const runtime = await createRuntime({
    store: at[1] ?? '',
    stateDirectory: at[3] ?? '',
    capabilities,
    policies: [join(folder, desk), join(folder, night), rest[0]],
  })
  for (const form of rest.slice(1)) await runtime.policy(form)
  await runtime.deploy(CONTRACT)
  const said: unknown[] = []
  for (const order of ['o-1', 'closed-1', 'small-1', 'named-1', 'night-1']) {
    const flow = await runtime.open({ agent: 'refunds_bot', trigger: order })
    const answer = await flow.propose({ policy_kind: 'REFUND', params: { order, amount: '20.00' } })
    said.push(answer.reason_code ?? answer.outcome)
  }
  const { url, token } = await serve(runtime, { port: 0 })
  assert.ok(token !== null)
  const place = { url, token }
  const law = await ask(place, 'GET', '/v1/policies')
  const { body } = await ask(place, 'GET', '/v1/decisions?outcome=ACCEPTED')
  const { trajectory, seq } = body.decisions[0]
  const question = {
    decision: { trajectory, seq },
    last: 5,
    cedar: { name: 'desk', text: CEDAR.replace('closed-*', 'o-*') },
    save: 'a small refund is closed',
  }
  const draft = await ask(place, 'POST', '/v1/playground', { body: question })
  writeFileSync(kept, JSON.stringify(draft.body.one.saved))
  tried = { said, law: law.body, draft: draft.body }
  await runtime.close()
})

test('finding 24c: nothing that the package exports loads Cedar, and the runtime takes one form', async () => {
  const denied = 'POLICY_DENIED'
  assert.deepEqual(tried.said, ['ACCEPTED', denied, denied, denied, denied])
  const names: string[] = tried.law.policies.map(({ name }: Data) => name)
  assert.equal(names.length, NAMES.length)
  for (const [index, name] of names.entries()) assert.match(name, NAMES[index] ?? /never/)
  const loaded = await loadPolicy({ name: 'desk', text: CEDAR })
  assert.deepEqual([loaded.source.kind, loaded.rules], ['file', [{ id: 'closed-orders', line: 1 }]])
  assert.deepEqual((await loadPolicy(join(folder, 'desk.cedar'))).source, loaded.source)
  const none: readonly unknown[] = [null, 7, {}, { name: 'x' }, { name: 'x', evaluate: () => null }]
  for (const form of none)
    await assert.rejects(loadPolicy(form as string), { code: 'POLICY_INVALID' })
})

test('the playground judges by policies of every form, with a draft in the place of one', () => {
  assert.deepEqual(tried.draft.one.now, { outcome: 'REJECTED', code: 'POLICY_DENIED' })
  assert.deepEqual(tried.draft.one.determining, [{ policy: 'desk', rule: 'closed-orders' }])
  const asked = new Set(tried.draft.last.coverage.map(({ policy }: Data) => policy))
  for (const name of ['desk', 'night', 'named', 'written']) assert.ok(asked.has(name), name)
})

test('finding 24a: up crashes on policies in the forms that the guides show', async (t) => {
  const { said, stop } = await startUpHere(t, ['--rules', rules, ...at])
  const { status, body } = await ask({ url: said.url }, 'GET', '/readyz')
  assert.equal(status, 200, `the rules of the library are in force: ${JSON.stringify(body)}`)
  assert.deepEqual(await stop(), [0, null])
})

test('finding 24b: recompile crashes on policies in the forms that the guides show', async () => {
  const { exit, data } = await runJson(['recompile', 'main', '--rules', rules, ...at])
  assert.deepEqual([exit, data.decisions, data.differing], [0, 5, []])
  const held = await runJson(['rules', '--rules', rules, ...at])
  assert.deepEqual([held.exit, held.data.held.acceptance], [0, null])
  const saved = await runJson(['policy', 'test', kept, '--rules', rules])
  assert.deepEqual(saved.data.cases[0].found, { outcome: 'ACCEPTED', code: null })
  assert.equal(saved.exit, 4, 'the draft closed it, the rules do not')
})

test('a module whose policies are none says so, and is no bug of ours', async () => {
  for (const [index, list] of ['[null]', '[{}]', '[7]', '{}'].entries()) {
    const path = join(folder, `none-${index}.mjs`)
    writeFileSync(path, `export const capabilities = []\nexport const policies = ${list}`)
    const { exit, data } = await runJson(['recompile', 'main', '--rules', path, ...at])
    assert.equal(exit, 2)
    assert.match(data.error.code, /^(POLICY_INVALID|RULES_MODULE)$/)
  }
})

const MISSPELT = `@id("kind")
forbid(principal, action in [Action::"REFUND", Action::"REFUNDS"], resource);
// context.params.ordr is no name here
@id("params")
forbid(principal, action == Action::"REFUND", resource)
when {
  context.params.order like "x*" &&
  context.params has ordr &&
  context.measures.refund_eur.greaterThan(decimal("1.0")) &&
  context.amount == 1
};
@id("who") permit(principal is User, action, resource == Capability::"PAY")
when { context.params.order.line == 1 || context["params"]["child"] == "a" };
`

test('finding 24d: policy check takes actions and parameters that nothing has', async () => {
  const file = join(folder, 'misspelt.cedar')
  writeFileSync(file, MISSPELT)
  for (const by of [['--rules', rules], at]) {
    const { exit, data } = await runJson([
      'policy',
      'check',
      file,
      join(folder, 'desk.cedar'),
      ...by,
    ])
    assert.equal(exit, 4)
    const [misspelt, desk] = data.files
    assert.deepEqual([desk.ok, desk.unknown, misspelt.ok], [true, [], false])
    assert.deepEqual(
      misspelt.unknown.map(({ rule, line, name }: Data) => [rule, line, name]),
      [
        ['kind', 2, 'Action::"REFUNDS"'],
        ['params', 8, 'context.params.ordr'],
        ['params', 9, 'context.measures.refund_eur'],
        ['params', 10, 'context.amount'],
        ['who', 12, 'Capability::"PAY"'],
        ['who', 12, 'User'],
        ['who', 13, 'context.params.child'],
        ['who', 13, 'context.params.order.line'],
      ],
    )
  }
  const { stdout } = await run(['policy', 'check', file, '--rules', rules])
  assert.match(stdout, /✖ line 8, params: `context\.params\.ordr`: no parameter of `REFUND`/)
})

test('policy check takes no file that a runtime refuses, and names a type in the wrong place', async () => {
  const file = join(folder, 'a@b.cedar')
  writeFileSync(file, SMALL)
  const named = await runJson(['policy', 'check', file, '--rules', rules])
  assert.deepEqual([named.exit, named.data.files[0].error.code], [4, 'POLICY_INVALID'])
  const placed = join(folder, 'placed.cedar')
  writeFileSync(
    placed,
    `forbid(principal, action, resource == Action::"REFUND");
forbid(principal is Capability, action, resource == Capability::"REFUND");
forbid(principal == Agent::"a", action, resource is Capability);`,
  )
  const { exit, data } = await runJson(['policy', 'check', placed, '--rules', rules])
  assert.equal(exit, 4)
  assert.deepEqual(
    data.files[0].unknown.map(({ line, name }: Data) => [line, name]),
    [
      [1, 'resource Action'],
      [2, 'principal Capability'],
    ],
  )
})

test('policy check without files checks what a module holds, also what a function applies to', async () => {
  const sound = await runJson(['policy', 'check', '--rules', rules])
  assert.deepEqual([sound.exit, sound.data.files.length], [0, NAMES.length])
  const path = join(folder, 'elsewhere.mjs')
  writeFileSync(
    path,
    `export { capabilities } from './rules.mjs'
     export const policies = [{ name: 'x', version: '1', applies_to: ['REFUN', 'SPAWN_CHILD'],
       evaluate: () => ({ decision: null }) }]`,
  )
  const { exit, data } = await runJson(['policy', 'check', '--rules', path])
  const { rule, line, name } = data.files[0].unknown[0]
  assert.deepEqual(
    [exit, data.files[0].unknown.length, rule, line, name],
    [4, 1, null, null, 'REFUN'],
  )
  const nowhere = ['--store', `sqlite:${join(folder, 'nowhere.db')}`]
  const desk = ['policy', 'check', join(folder, 'desk.cedar'), ...nowhere]
  const unasked = await runJson(desk)
  assert.deepEqual([unasked.exit, unasked.data.files[0].unknown], [0, null])
  assert.match((await run(desk)).stderr, /not checked: whether actions and parameters exist/)
})
