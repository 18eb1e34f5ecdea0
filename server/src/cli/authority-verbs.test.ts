import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createRuntime } from '../../../runtime/src/compose.ts'
import { CONTRACT, exampleCapability } from '../../../runtime/src/evidence/example.test-support.ts'
import { EXAMPLE, home, run, runJson } from './cli.test-support.ts'

async function deployed(): Promise<ReturnType<typeof home>> {
  const place = home()
  assert.equal((await run(['contract', 'deploy', EXAMPLE, ...place.at])).exit, 0)
  return place
}

test('contract check names file and line, and ends with findings', async () => {
  const { folder } = home()
  const bad = join(folder, 'bad.yaml')
  writeFileSync(bad, readFileSync(EXAMPLE, 'utf8').replace('max: "500.00"', 'max: five hundred'))
  const { exit, data } = await runJson(['contract', 'check', EXAMPLE, bad])
  assert.equal(exit, 4)
  assert.deepEqual([data.ok, data.files[0].ok, data.files[1].ok], [false, true, false])
  assert.match(data.files[1].error.summary, /bad\.yaml:\d+:\d+: permissions\.limits\[0\]\.max/)
  assert.equal((await run(['contract', 'check', join(folder, 'none.yaml')])).exit, 2)
})

test('finding 30a: contract check shows some problems of a file, on one line', async () => {
  const { folder } = home()
  const bad = join(folder, 'bad.yaml')
  writeFileSync(bad, 'agent_id: bad\nversion: one\nhue: 1\n')
  const missing = join(folder, 'none.yaml')
  const { exit, stdout } = await run(['contract', 'check', missing, bad, EXAMPLE])
  // What cannot be read does not hide what the other files say.
  assert.equal(exit, 4)
  assert.match(stdout, /none\.yaml` cannot be read/)
  assert.match(stdout, /refunds-bot\.yaml: refunds_bot/)
  const places = stdout.split('\n').filter((line) => line.startsWith(`  ${bad}:`))
  assert.deepEqual(
    places.map((line) => line.trim().slice(bad.length + 1)),
    [
      '1:1: owner: is missing',
      '1:1: effective_from: is missing',
      '1:1: mission: is missing',
      '1:1: permissions: is missing',
      '2:1: version: must be a version like `1.2.0`, not `one`',
      '3:1: hue: is not a known field',
    ],
  )
  const { data } = await runJson(['contract', 'check', bad])
  assert.equal(data.files[0].error.meta.problems.length, places.length)
})

test('a contract that makes the store says which; the next one says nothing', async () => {
  const { at } = home()
  const first = await run(['contract', 'deploy', EXAMPLE, ...at])
  assert.match(first.stderr, /a new store is made: sqlite:/)
  assert.doesNotMatch((await run(['contract', 'deploy', EXAMPLE, ...at])).stderr, /a new store/)
})

test('contract check does not pass over what no capability answers', async () => {
  const { folder } = home()
  const silent = await run(['contract', 'check', EXAMPLE])
  assert.equal(silent.exit, 0)
  assert.match(silent.stderr, /not compared with the code: add --rules MODULE/)
  const unchecked = await runJson(['contract', 'check', EXAMPLE])
  assert.equal(unchecked.data.files[0].unanswered, null)

  const moduleWith = (measures: string): readonly string[] => {
    const file = join(folder, `rules-${measures.length}.mjs`)
    const usual = "effect: 'unsafe', risk: 'medium', reversible: true, params: { type: 'object' }"
    const execute = "execute: () => ({ result: 'done' })"
    const refund = `{ kind: 'REFUND', ${usual}, measures: {${measures}}, ${execute} }`
    writeFileSync(file, `export const capabilities = [${refund}]\n`)
    return ['--rules', file]
  }
  const deaf = ['contract', 'check', EXAMPLE, ...moduleWith('')]
  const found = await runJson(deaf)
  assert.equal(found.exit, 4)
  assert.equal(found.data.ok, false)
  const [one] = found.data.files[0].unanswered
  assert.equal(one.policy_kind, 'REFUND')
  assert.match(
    (await run(deaf)).stdout,
    /`REFUND` is always refused: its capability has no value for .* needs `applies_to`/,
  )
  const answered = moduleWith('refund_usd: ({ amount }) => amount')
  const checked = await runJson(['contract', 'check', EXAMPLE, ...answered])
  assert.deepEqual([checked.exit, checked.data.files[0].unanswered], [0, []])
})

test('a contract is deployed once, and again changes nothing', async () => {
  const { at, folder } = await deployed()
  const again = await runJson(['contract', 'deploy', EXAMPLE, ...at])
  assert.deepEqual(Object.keys(again.data.deployed[0]), [
    'agent_id',
    'version',
    'contract_hash',
    'unchanged',
    'unanswered',
    'not_enforced',
  ])
  assert.equal(again.data.deployed[0].unchanged, true)

  const changed = join(folder, 'changed.yaml')
  writeFileSync(changed, readFileSync(EXAMPLE, 'utf8').replace('"500.00"', '"600.00"'))
  const { data } = await runJson(['contract', 'diff', changed, ...at])
  assert.deepEqual(data.diffs[0].changes, [
    { path: 'permissions.limits[alone].max', before: '"500"', after: '"600"' },
  ])
  const refused = await runJson(['contract', 'deploy', changed, ...at])
  assert.deepEqual([refused.exit, refused.data.error.code], [2, 'CONTRACT_VERSION_IMMUTABLE'])
})

test('nobody deploys below an agent that is not asked, or shows an agent, without what is wrong', async () => {
  const { at, folder } = await deployed()
  const text = readFileSync(EXAMPLE, 'utf8')
  const child = join(folder, 'child.yaml')
  writeFileSync(
    child,
    text.replace('agent_id: refunds_bot', 'agent_id: clerk\nparent_agent: refunds_bot'),
  )
  const { stderr } = await run(['contract', 'deploy', child, ...at])
  assert.match(
    stderr,
    /what `clerk` asks passes `refunds_bot` over, .* not list RESOLVE_ESCALATION/,
  )
  await run(['agents', 'suspend', 'refunds_bot', '--reason', 'because', '--yes', ...at])
  const shown = await run(['agents', 'show', 'clerk', ...at])
  assert.match(shown.stdout, /its parent `refunds_bot` is SUSPENDED: what it asks goes to a person/)
})

test('a name finds its person however it is typed, and an id that was merged finds whom it counts as', async () => {
  const { at } = await deployed()
  const register = async (name: string): Promise<string> =>
    (await runJson(['person', 'register', name, ...at])).data.person_id
  const [ann, bob] = [await register('ann@example.com'), await register('bob@example.com')]
  const login = ['--issuer', 'https://login.example.com', '--sub', '7']
  const linked = await runJson(['person', 'link', 'ANN@example.com', ...login, ...at])
  assert.equal(linked.data.person_id, ann, JSON.stringify(linked.data))
  assert.equal((await run(['person', 'merge', bob, 'ann@example.com', '--yes', ...at])).exit, 0)
  const more = await runJson(['person', 'link', bob, '--name', 'bobby', ...at])
  assert.equal(more.data.person_id, ann)
  const nobody = await runJson(['person', 'link', 'nobody', '--name', 'x', ...at])
  assert.equal(nobody.data.error.code, 'PERSON_MISSING')
})

test('a person is meant by name as well as by id', async () => {
  const { at } = await deployed()
  await run(['person', 'register', 'ann@example.com', ...at])
  const link = ['person', 'link', 'ann@example.com', '--name', 'ann', ...at]
  assert.equal((await run(link)).exit, 0)
  const { data } = await runJson(['person', 'list', ...at])
  const ann = data.persons.find(({ names }: { names: string[] }) => names.includes('ann'))
  assert.ok(ann.names.includes('ann@example.com'))
})

test('revoking asks for the name: a wrong one declines, the right one revokes', async () => {
  const { at } = await deployed()
  const revoke = ['contract', 'revoke', 'refunds_bot', ...at]
  assert.equal((await run(revoke)).exit, 2, 'a reason is needed')
  const reasoned = [...revoke, '--reason', 'audit finding 7']
  const alone = await run(reasoned)
  assert.equal(alone.exit, 2, 'there is nobody to ask')
  assert.match(alone.stderr, /add --yes/)
  const declined = await run(reasoned, 'refund_bot')
  assert.deepEqual([declined.exit, declined.stderr.includes('nothing was changed')], [3, true])
  assert.equal((await run(reasoned, 'refunds_bot')).exit, 0)
  const { data } = await runJson(['agents', ...at])
  assert.deepEqual([data.agents[0].agent_id, data.agents[0].revoked], ['refunds_bot', true])
  assert.equal(
    (await run(['contract', 'revoke', 'nobody', '--reason', 'r', '--yes', ...at])).exit,
    2,
  )
})

test('an agent is suspended, reactivated and retired, each with a reason', async () => {
  const { at } = await deployed()
  const move = (verb: string) =>
    runJson(
      ['agents', verb, 'refunds_bot', '--reason', 'because', '--yes', ...at].filter(
        (word) => verb !== 'reactivate' || word !== '--yes',
      ),
    )
  assert.deepEqual((await move('suspend')).data, {
    agent_id: 'refunds_bot',
    from: 'INITIALIZING',
    to: 'SUSPENDED',
    justification: 'because',
  })
  assert.equal((await move('reactivate')).data.to, 'ACTIVE')
  const again = await move('reactivate')
  assert.deepEqual([again.exit, again.data.error.code], [2, 'LIFECYCLE_REFUSED'])
  assert.equal(again.data.error.summary, '`refunds_bot` is ACTIVE already')
  assert.equal((await move('retire')).data.to, 'RETIRED')
  const back = await move('reactivate')
  assert.deepEqual([back.exit, back.data.error.code], [2, 'LIFECYCLE_REFUSED'])
  const { data } = await runJson(['agents', 'show', 'refunds_bot', ...at])
  assert.deepEqual([data.status, data.version, data.state.actor], ['RETIRED', '1.0.0', 'operator'])
  const { stdout } = await run(['agents', 'show', 'refunds_bot', ...at])
  assert.match(stdout, /version {2}1\.0\.0 at authority\/\d+\n/)
  assert.equal((await run(['agents', 'show', 'nobody', ...at])).exit, 2)
})

test('a blank reason moves nobody', async () => {
  const { at } = await deployed()
  const suspend = ['agents', 'suspend', 'refunds_bot', '--reason', 'because', '--yes', ...at]
  assert.equal((await run(suspend)).exit, 0)
  for (const reason of ['', '  ']) {
    const back = await runJson(['agents', 'reactivate', 'refunds_bot', '--reason', reason, ...at])
    assert.deepEqual([back.exit, back.data.error.code], [2, 'USAGE'])
  }
  assert.equal((await runJson(['agents', ...at])).data.agents[0].status, 'SUSPENDED')
})

test('the kill switch asks for the name, stops the agent and revokes its contract', async () => {
  const { at } = await deployed()
  const kill = ['agents', 'kill', 'refunds_bot', '--reason', 'it refunds everything', ...at]
  assert.equal((await run(['agents', 'kill', 'refunds_bot', ...at])).exit, 2, 'a reason is needed')
  assert.equal((await run(kill, 'refund_bot')).exit, 3)
  const { exit, data } = await runJson([...kill, '--yes'])
  assert.deepEqual([exit, data.from, data.to], [0, 'INITIALIZING', 'SUSPENDED'])
  const [agent] = (await runJson(['agents', ...at])).data.agents
  assert.deepEqual([agent.status, agent.revoked], ['SUSPENDED', true])
  const unknown = await runJson(['agents', 'kill', 'nobody', '--reason', 'r', '--yes', ...at])
  assert.deepEqual([unknown.exit, unknown.data.error.code], [2, 'AGENT_UNKNOWN'])
})

test('an instance is spawned inside its class, shown, and falls with it', async () => {
  const { at, folder } = await deployed()
  const file = join(folder, 'narrowing.yaml')
  const spawn = (instance: string, ...more: readonly string[]) =>
    runJson(['agents', 'spawn', 'refunds_bot', instance, ...more, ...at])
  writeFileSync(file, 'priority: 60\n')
  const { data: made } = await spawn('refunds_bot-1', '--narrowing', file)
  assert.deepEqual(
    [made.agent_id, made.instance_of, made.unchanged],
    ['refunds_bot-1', 'refunds_bot', false],
  )
  assert.equal((await spawn('refunds_bot-1', '--narrowing', file)).data.unchanged, true)
  writeFileSync(file, 'priority: 1\n')
  const wider = await spawn('refunds_bot-2', '--narrowing', file)
  assert.deepEqual([wider.exit, wider.data.error.code], [2, 'INSTANCE_WIDENS'])
  writeFileSync(file, '- priority\n')
  assert.equal((await spawn('refunds_bot-2', '--narrowing', file)).data.error.code, 'USAGE')
  assert.equal((await spawn('refunds_bot-2', '--parent', 'boss')).exit, 2)
  const { data: shown } = await runJson(['agents', 'show', 'refunds_bot', ...at])
  assert.deepEqual(shown.instances, [{ agent_id: 'refunds_bot-1', status: 'ACTIVE' }])
  assert.equal(
    (await run(['agents', 'kill', 'refunds_bot', '--reason', 'r', '--yes', ...at])).exit,
    0,
  )
  const { data: after } = await runJson(['agents', 'show', 'refunds_bot-1', ...at])
  assert.deepEqual(
    [after.status, after.revoked, after.instance_of],
    ['ACTIVE', true, 'refunds_bot'],
  )
})

test('an agent whose request waits for somebody is active, and the request is counted', async () => {
  const { at } = home()
  const [, store = '', , stateDirectory = ''] = at
  const capabilities = [exampleCapability(() => {})]
  const runtime = await createRuntime({ store, stateDirectory, capabilities })
  await runtime.deploy({ ...CONTRACT, authority: 'PROPOSE' })
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
  const shown = async (): Promise<unknown> => {
    const { data } = await runJson(['agents', 'show', 'refunds_bot', ...at])
    return [data.status, data.waiting]
  }
  assert.deepEqual(await shown(), ['ACTIVE', 0])
  await flow.propose({ policy_kind: 'REFUND', params: { order: 'o', amount: '1.00' } })
  assert.deepEqual(await shown(), ['ESCALATED', 1])
  const { stdout } = await run(['agents', 'list', ...at])
  assert.match(stdout, /ESCALATED \(1 waiting\)/)
  await flow.cancel('not needed')
  await runtime.engine.runDue()
  assert.deepEqual(await shown(), ['ACTIVE', 0])
  await runtime.close()
})

test('keys are listed, made, registered, retired and compromised', async () => {
  const { at, folder } = await deployed()
  const purposes = async (): Promise<string[]> =>
    (await runJson(['keys', ...at])).data.keys.map(({ purpose }: { purpose: string }) => purpose)
  assert.deepEqual(await purposes(), ['checkpoint', 'kernel', 'issuer', 'operator'])
  assert.match(
    (await run(['keys', ...at])).stdout,
    /operator-.*\nissuer-.*\nkernel-.*\ncheckpoint-/,
  )
  const pem = join(folder, 'agent.pem')
  const make = ['keys', 'register', '--purpose', 'agent', '--subject', 'refunds_bot', '--out', pem]
  const { data: made } = await runJson([...make, ...at])
  assert.equal(made.private_key, pem)
  if (process.platform !== 'win32') assert.equal(statSync(pem).mode & 0o777, 0o600)
  assert.deepEqual(await purposes(), ['agent', 'checkpoint', 'kernel', 'issuer', 'operator'])
  assert.equal((await run(['keys', 'retire', made.key_id, '--yes', ...at])).exit, 0)
  const compromise = ['keys', 'compromise', made.key_id, '--since', '0', '--yes']
  assert.equal((await run([...compromise, ...at])).exit, 0)
  const { data: key } = await runJson(['keys', 'show', made.key_id, ...at])
  assert.deepEqual([key.compromised_since_seq, typeof key.retired_seq], [0, 'number'])
  assert.equal((await run(['keys', 'show', 'nobody', ...at])).exit, 2)
  assert.equal((await run(['keys', 'register', ...at])).exit, 2)

  const forged = join(folder, 'forged.json')
  const { public_key, purpose } = key
  writeFileSync(
    forged,
    JSON.stringify({ purpose, public_key, subject: 'mallory', possession: 'AAAA' }),
  )
  const refused = await runJson(['keys', 'register', forged, ...at])
  assert.deepEqual([refused.exit, refused.data.error.code], [2, 'KEY_POSSESSION'])
})

test('finding 27f: a registration that fails leaves no key file behind, and overwrites none', async () => {
  const { at, folder } = await deployed()
  const pem = join(folder, 'agent.pem')
  const make = ['keys', 'register', '--purpose', 'agent', '--subject', 'refunds_bot', '--out', pem]
  const retire = ['agents', 'retire', 'refunds_bot', '--reason', 'a drill', '--yes']
  assert.equal((await run([...make, '--store', `sqlite:${folder}/none.db`])).exit, 2)
  assert.ok(!readdirSync(folder).some((name) => name.startsWith('agent.pem')), 'there is no store')
  assert.equal((await run([...make, ...at])).exit, 0)
  const kept = readFileSync(pem, 'utf8')
  assert.deepEqual((await runJson([...make, ...at])).data.error.code, 'EEXIST')
  assert.equal(readFileSync(pem, 'utf8'), kept)
  rmSync(pem)
  assert.equal((await run([...retire, ...at])).exit, 0)
  assert.deepEqual((await runJson([...make, ...at])).data.error.code, 'AGENT_RETIRED')
  assert.ok(!readdirSync(folder).some((name) => name.startsWith('agent.pem')), 'it was refused')
})

test('a writ is issued, narrowed, inspected and revoked', async () => {
  const { at, folder } = await deployed()
  const { data: writ } = await runJson(['writ', 'issue', 'refunds_bot', '--hours', '2', ...at])
  assert.deepEqual(Object.keys(writ), ['id', 'body', 'signature'])
  const narrow = ['writ', 'attenuate', writ.id, '--subject', 'helper', '--budget', 'calls=5']
  const { data: child } = await runJson([...narrow, ...at])
  assert.deepEqual([child.body.parent, child.body.budget.calls], [writ.id, '5'])
  const wide = await runJson([
    'writ',
    'attenuate',
    writ.id,
    '--subject',
    'h',
    '--kind',
    'PAY',
    ...at,
  ])
  assert.deepEqual([wide.exit, wide.data.error.code], [2, 'DELEGATION_WIDENS'])
  assert.equal((await run(['writ', 'revoke', writ.id, '--reason', 'r', '--yes', ...at])).exit, 0)
  assert.equal((await runJson(['writ', 'inspect', writ.id, ...at])).data.revoked, true)
  for (const id of [`sha256:${'0'.repeat(64)}`, 'no-address']) {
    const none = await runJson(['writ', 'revoke', id, '--reason', 'r', '--yes', ...at])
    assert.deepEqual([none.exit, none.data.error.code], [2, 'WRIT_MISSING'], id)
  }
  assert.equal((await runJson(['writ', 'inspect', ...at])).data.writs.length, 2)
  const file = join(folder, 'writ.json')
  writeFileSync(file, JSON.stringify(writ))
  assert.equal((await runJson(['writ', 'inspect', file])).data.id, writ.id)
})
