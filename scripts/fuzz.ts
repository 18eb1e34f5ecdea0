/**
 * `npm run fuzz`: the API document against a real server on loopback, by tools that are not ours. A fuzzer
 * (schemathesis) asks every operation in each role: no answer is a server error, and each is as the
 * document says, in status, media type, headers and body. A generator (openapi-python-client) makes a
 * client, which has every operation. `--cases N` is how many requests each operation is drawn in each role,
 * beside those at the edges of its schemas; `--role ROLE` for some of them; `--seed N`; `--keep`; `--json`.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { ask } from '../server/src/http/agent-auth/client.ts'
import { type FuzzRole, makeCast } from './fuzz/cast.ts'
import { type Generated, generateClient, listOperations } from './fuzz/clients.ts'
import { prepareDocument } from './fuzz/dress.ts'
import { openGateway } from './fuzz/gateway.ts'
import { readReport } from './fuzz/report.ts'
import { prepareTools } from './fuzz/tools.ts'
import { ENVIRONMENT, formatSeconds, say } from './shell.ts'

const ROLES: readonly FuzzRole[] = ['operator', 'approver', 'auditor', 'agent']

/**
 * What an answer is held against. Who may ask is not: here everybody who asks is let in by the gateway.
 * `Allow` is not: an agent may be named `handshake`, and then two addresses of the document are one.
 */
const CHECKS: readonly string[] = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'unsupported_method',
]

type Options = { readonly cases: string; readonly seed: string; readonly folder: string }

type RoleResult = {
  readonly cases: number
  readonly failures: readonly string[]
  readonly server_errors: readonly string[]
  readonly stalls: readonly string[]
  readonly statuses: Readonly<Record<string, number>>
  readonly ms: number
}

function reportProgress(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** After these there is less to ask about, so that they come last. */
const ENDINGS: readonly string[] = [
  'moveAgent',
  'endAgentSession',
  'revokeContract',
  'revokeWrit',
  'retireKey',
  'compromiseKey',
  'retireSource',
  'cancelFlow',
  'closeFlow',
  'eraseFlow',
]

const PASSES: readonly (readonly string[])[] = [
  ENDINGS.flatMap((name) => ['--exclude-operation-id', name]),
  ENDINGS.flatMap((name) => ['--include-operation-id', name]),
]

async function runFuzzerAs(role: FuzzRole, fuzzer: string, options: Options): Promise<RoleResult> {
  const start = performance.now()
  const cast = await makeCast()
  const gateway = await openGateway(cast.url, () => cast.enter(role))
  const failures: string[] = []
  let asked = 0
  try {
    const document = await prepareDocument(cast.operator)
    const file = join(options.folder, `document-${role}.json`)
    writeFileSync(file, JSON.stringify(document))
    for (const [i, pass] of PASSES.entries()) {
      const report = join(options.folder, `report-${role}-${i + 1}.json`)
      const args = buildFuzzerArgs(file, gateway.url, report, options)
      await runFuzzer(fuzzer, [...args, ...pass], report)
      const read = readReport(report)
      asked += read.asked
      failures.push(...read.failures)
    }
    const { length } = listOperations(document)
    if (asked !== length) failures.push(`${role} asked ${asked} of ${length} operations`)
  } finally {
    await gateway.close()
    await cast.close()
  }
  const { cases, serverErrors: server_errors, stalls, byStatus: statuses } = gateway.seen
  return { cases, failures, server_errors, stalls, statuses, ms: performance.now() - start }
}

function buildFuzzerArgs(
  document: string,
  url: string,
  report: string,
  { cases, seed }: Options,
): readonly string[] {
  return [
    ...['run', document, '--url', url, '--checks', CHECKS.join(',')],
    ...['--phases', 'examples,coverage,fuzzing', '--max-examples', cases, '--seed', seed],
    // One: threads of CPython 3.11 that parse at the same time fail (`AST constructor recursion depth mismatch`).
    ...['--workers', '1', '--continue-on-failure', '--no-shrink', '--no-color'],
    ...['--suppress-health-check', 'all', '--request-timeout', '30'],
    ...['--generation-with-security-parameters', 'false', '--generation-database', 'none'],
    ...['--report', 'json', '--report-json-path', report],
  ]
}

/** What it found stands in its report; what it prints is kept beside it. */
async function runFuzzer(program: string, args: readonly string[], report: string): Promise<void> {
  const cwd = dirname(report)
  const child = spawn(program, args, { cwd, env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] })
  const said: Buffer[] = []
  child.stdout.on('data', (piece) => said.push(piece))
  child.stderr.on('data', (piece) => said.push(piece))
  await new Promise<void>((ended, failed) => {
    child.on('error', failed)
    child.on('close', () => ended())
  })
  writeFileSync(report.replace(/\.json$/, '.txt'), Buffer.concat(said))
}

async function generateFreshClient(
  generator: string,
  folder: string,
): Promise<Generated & { all: number }> {
  const cast = await makeCast()
  try {
    const { body: value } = await ask(cast.operator, 'GET', '/openapi.json')
    const file = join(folder, 'document.json')
    writeFileSync(file, JSON.stringify(value))
    const made = generateClient(generator, { file, value }, join(folder, 'client'))
    return { ...made, all: listOperations(value).length }
  } finally {
    await cast.close()
  }
}

async function runFuzz(): Promise<void> {
  const { values } = parseArgs({
    options: {
      cases: { type: 'string', default: '2' },
      seed: { type: 'string', default: '1' },
      role: { type: 'string', multiple: true, default: [...ROLES] },
      keep: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  if (!/^[1-9][0-9]{0,5}$/.test(values.cases)) throw new Error('--cases is a number from 1 on')
  const roles = ROLES.filter((role) => values.role.includes(role))
  if (roles.length === 0) throw new Error(`--role is one of ${ROLES.join(', ')}`)
  const tools = prepareTools(reportProgress)
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-fuzzed-'))
  try {
    reportProgress('generating a client')
    const { all: operations, ...client } = await generateFreshClient(tools.generator, folder)
    const by_role: Record<string, RoleResult> = {}
    for (const role of roles) {
      reportProgress(`asking as ${role}`)
      const { cases, seed } = values
      const result = await runFuzzerAs(role, tools.fuzzer, { cases, seed, folder })
      by_role[role] = result
      reportProgress(`${role}: ${result.cases} requests in ${formatSeconds(result.ms)}`)
    }
    conclude({ operations, by_role, generated: client }, values.json)
  } finally {
    if (values.keep) reportProgress(`kept: ${folder}`)
    else rmSync(folder, { recursive: true, force: true })
  }
}

type Found = {
  readonly operations: number
  readonly by_role: Readonly<Record<string, RoleResult>>
  readonly generated: Generated
}

function conclude({ operations, by_role, generated }: Found, json: boolean): void {
  const results = Object.values(by_role)
  const server_errors = results.flatMap((result) => result.server_errors)
  const stalls = results.flatMap((result) => result.stalls)
  const undocumented = [...new Set(results.flatMap(({ failures }) => failures))]
  const wrong = [...server_errors, ...stalls, ...undocumented, ...generated.missing]
  const ok =
    operations > 0 && wrong.length === 0 && results.every(({ cases }) => cases > operations)
  const roles = Object.entries(by_role).map(([role, { cases, failures, statuses }]) => [
    role,
    { cases, failures: failures.length, statuses },
  ])
  const said = {
    operations,
    by_role: Object.fromEntries(roles),
    server_errors,
    stalls,
    undocumented,
  }
  if (json) say(JSON.stringify({ ...said, generated, ok }))
  else {
    for (const line of wrong) say(line)
    const cases = results.reduce((sum, result) => sum + result.cases, 0)
    const client = `${generated.operations} of ${operations} operations generated`
    say(`${ok ? 'ok' : 'not ok'}: ${cases} requests, ${wrong.length} wrong; ${client}`)
  }
  process.exitCode = ok ? 0 : 1
}

try {
  await runFuzz()
} catch (error) {
  process.stderr.write(`fuzz: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
