/** A server with a folder of artifacts: how it is started, who works in it, and what people see of that. */
import assert from 'node:assert/strict'
import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { JsonObject } from 'rubicon-kernel'
import { openStage } from '../../../runtime/src/artifacts/artifact-stage.test-support.ts'
import { type Data, home, run, runJson } from './cli.test-support.ts'
import { warnOfOtherFiles } from './known-contents.ts'
import { startUpHere } from './up.test-support.ts'
import { findFolderProblem } from './up-artifacts.ts'

const X = 'src/a.ts class:A/method:x'

test('the keys or the ledger lie where agents read and write', () => {
  const { folder } = home()
  const at = (...names: readonly string[]): string => join(folder, ...names)
  for (const name of ['project', 'state/inside', 'project/.rubicon/keys'])
    mkdirSync(at(name), { recursive: true })
  writeFileSync(at('file'), '')
  symlinkSync(at('state/inside'), at('link'))
  const store = `sqlite:${at('rubicon.db')}`
  const check = (place: {
    folder: string
    store?: string
    stateDirectory?: string
  }): string | null =>
    findFolderProblem({ store, stateDirectory: at('state'), ...place })?.summary ?? null
  assert.equal(check({ folder: at('project') }), null)
  assert.match(check({ folder: at('none') }) ?? '', /is no folder/)
  assert.match(check({ folder: at('file') }) ?? '', /is no folder/)
  assert.match(check({ folder: at('state/inside') }) ?? '', /lies in the state directory/)
  assert.match(check({ folder: at('state') }) ?? '', /lies in the state directory/)
  assert.match(check({ folder: at('link') }) ?? '', /lies in the state directory/)
  assert.match(check({ folder }) ?? '', /state lies in/)
  const project = at('project')
  const hidden = at('project/.rubicon/keys')
  assert.equal(check({ folder: project, stateDirectory: hidden }), null)
  assert.match(check({ folder: project, stateDirectory: at('project/keys') }) ?? '', /keys lies in/)
  assert.match(
    check({ folder: project, store: `sqlite:${at('project/a.db')}` }) ?? '',
    /a\.db lies/,
  )
  assert.equal(check({ folder: project, store: `sqlite:${at('project/.rubicon/a.db')}` }), null)
})

test('a server is not started with a folder that cannot be used', async () => {
  const { folder, at } = home()
  const { exit, data } = await runJson(['up', '--artifacts', join(folder, 'none'), ...at])
  assert.deepEqual([exit, data.error.code], [2, 'ARTIFACTS_FOLDER'])
})

type Worked = {
  readonly at: readonly string[]
  readonly project: string
  readonly mcp: string
  readonly blobs: string
}

/** Agents have worked on a store, and a gateway is set up for one of them. */
async function prepare(t: TestContext): Promise<Worked> {
  const store = `sqlite:${join(home().folder, 'rubicon.db')}`
  const stage = await openStage({ runtime: { store } })
  t.after(() => stage.close())
  const { folder } = stage
  const at = ['--store', store, '--state', join(folder, 'state')]
  const delta = { op: 'addMember', target: 'class:A', fragment: 'x(): number {\n  return 0\n}' }
  const plan = await stage.plan('ann', [delta], [X])
  const applied = await stage.apply('ann', plan)
  assert.equal(applied.execution?.status, 'SUCCESS')
  await stage.close()
  const mcp = join(folder, 'mcp.yaml')
  writeFileSync(mcp, JSON.stringify({ agent: 'bob', servers: {}, artifacts: 'project' }))
  return { at, mcp, project: join(folder, 'project'), blobs: join(folder, 'state', 'artifacts') }
}

async function connect(t: TestContext, url: string, token: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  )
  t.after(() => client.close())
  return client
}

async function callTool(client: Client, name: string, args: JsonObject): Promise<Data> {
  const said = JSON.parse(JSON.stringify(await client.callTool({ name, arguments: { ...args } })))
  assert.notEqual(said.isError, true, JSON.stringify(said))
  return JSON.parse(said.content[0].text)
}

test('a client of the gateway plans and applies, and people see it over HTTP and at the command', async (t) => {
  const { at, mcp, project } = await prepare(t)
  const up = await startUpHere(t, [...at, '--mcp', mcp])
  assert.equal(up.said.artifacts, project)
  const { data: made } = await runJson(['mcp', 'token', '--mcp', mcp, ...at])
  const client = await connect(t, up.said.url, made.token)
  const { tools } = await client.listTools()
  assert.ok(tools.some(({ name }) => name === 'artifact_plan'))
  const delta = { op: 'rename', target: 'class:B', name: 'C' }
  const changes = [{ artifact: 'src/a.ts', deltas: [delta] }]
  const asked = { symbols: ['src/a.ts class:B', 'src/a.ts class:C'], changes }
  const { plan, symbols } = await callTool(client, 'artifact_plan', asked)
  const { data: open } = await runJson(['artifact', 'plans', ...at])
  assert.deepEqual([open.plans[0].plan, open.plans[0].by], [plan, 'bob'])
  await callTool(client, 'artifact_apply', { plan, symbols })
  assert.match(readFileSync(join(project, 'src/a.ts'), 'utf8'), /export class C/)
  const { data: listed } = await runJson(['artifact', 'list', ...at])
  assert.equal(listed.artifacts.length, 3)
  const { data: changed } = await runJson([
    'artifact',
    'changes',
    'src/a.ts',
    '--limit',
    '2',
    ...at,
  ])
  const rows = changed.changes.map(({ agent_id, summary }: Data) => [agent_id, summary])
  assert.deepEqual(rows, [
    ['bob', 'rename class:B to C'],
    ['ann', 'addMember class:A'],
  ])
  const { stdout } = await run(['artifact', 'changes', ...at])
  assert.match(stdout, /bob .*rename class:B to C/)
  // Beside the thread that decides, and with a desk of its own.
  const way = `${up.said.url}/v1/trajectories/main/artifacts/symbols?name=src/a.ts&depth=1`
  const headers = { authorization: `Bearer ${up.token}` }
  const { symbols: found } = (await (await fetch(way, { headers })).json()) as Data
  const paths = found.map(({ path }: Data) => path)
  assert.ok(paths.includes('class:C') && !paths.includes('class:B'), paths.join())
  await up.stop()
})

async function askDoctor(
  at: readonly string[],
  folder: string,
): Promise<Readonly<Record<string, string>>> {
  const { data } = await runJson(['doctor', '--artifacts', folder, ...at])
  return Object.fromEntries(data.checks.map(({ name, status }: Data) => [name, status]))
}

test('the doctor says what of artifacts is not as the ledger has it', async (t) => {
  const { at, project, blobs } = await prepare(t)
  const fine = await askDoctor(at, project)
  assert.deepEqual([fine.artifacts, fine.contents, fine.files], ['ok', 'ok', 'ok'])
  const { data: listed } = await runJson(['artifact', 'list', ...at])
  const { data: changed } = await runJson(['artifact', 'changes', 'src/a.ts', ...at])
  for (const named of [listed.artifacts[0].content_hash, changed.changes[0].change]) {
    const hash: string = named.slice('sha256:'.length)
    const [blob, aside] = [join(blobs, hash.slice(0, 2), hash.slice(2)), join(blobs, 'aside')]
    renameSync(blob, aside)
    assert.equal((await askDoctor(at, project)).contents, 'failure', named)
    renameSync(aside, blob)
  }
  writeFileSync(join(project, 'src/a.ts'), 'export const other = 1\n')
  assert.equal((await askDoctor(at, project)).files, 'warning')
})

test('another folder than the one that the ledger is about is noticed', async (t) => {
  const stage = await openStage()
  t.after(() => stage.close())
  const listNotes = async (folder: string | undefined): Promise<string> => {
    const notes: string[] = []
    await warnOfOtherFiles({ note: (text) => void notes.push(text) }, stage.runtime, folder)
    return notes.join('\n')
  }
  const [project, other] = [join(stage.folder, 'project'), join(stage.folder, 'other')]
  cpSync(project, other, { recursive: true })
  for (const same of [undefined, project, other]) assert.equal(await listNotes(same), '')
  writeFileSync(join(other, 'src/a.ts'), 'export const other = 1\n')
  unlinkSync(join(other, 'src/log.ts'))
  assert.match(
    await listNotes(other),
    /2 of 3 files in .*other are not there, or not as the ledger has them: src/,
  )
})

test('files are made known at the command, by an agent whose contract has them', async (t) => {
  const { at, project } = await prepare(t)
  const key = join(home().folder, 'keeper.pem')
  const adopt = (...files: readonly string[]): ReturnType<typeof runJson> =>
    runJson([
      ...['artifact', 'adopt', ...files.map((file) => join(project, file)), '--root', project],
      ...['--agent', 'keeper', '--key', key, ...at],
    ])
  assert.equal((await adopt('src')).data.error.code, 'KEY_MISSING')
  const subject = ['--purpose', 'agent', '--subject', 'keeper', '--out', key]
  assert.equal((await runJson(['keys', 'register', ...subject, ...at])).exit, 0)
  assert.equal((await adopt('src')).data.error.code, 'SERVER_UNREACHABLE')
  const up = await startUpHere(t, [...at, '--artifacts', project])
  writeFileSync(join(project, 'src/new.ts'), 'export const one = 1\n')
  unlinkSync(join(project, 'src/use.ts'))
  const { exit, data } = await adopt('src', 'src/use.ts')
  assert.equal(exit, 0, JSON.stringify(data))
  assert.deepEqual(
    data.artifacts.map(({ name, state }: Data) => [name, state]),
    [
      ['src/a.ts', 'unchanged'],
      ['src/log.ts', 'unchanged'],
      ['src/new.ts', 'adopted'],
      ['src/use.ts', 'gone'],
    ],
  )
  assert.equal((await adopt('src/none.ts')).data.error.code, 'ARTIFACT_UNKNOWN')
  const { data: listed } = await runJson(['artifact', 'list', ...at])
  assert.deepEqual(
    listed.artifacts.map(({ name }: Data) => name),
    ['src/a.ts', 'src/log.ts', 'src/new.ts'],
  )
  await up.stop()
})
