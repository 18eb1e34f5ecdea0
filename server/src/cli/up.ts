/**
 * `rubicon up`: the runtime behind its server, until it is told to stop.
 *
 * A signal sends new requests away, waits for those under way, and lets go of the store; a second one
 * ends the process at once, which loses nothing that was acknowledged.
 */
import { resolve } from 'node:path'
import { AUTHORITY, assert, findCurrentContract, type Policy } from 'rubicon-kernel'
import type { Gateway } from 'rubicon-mcp'
import type { Runtime } from 'rubicon-runtime/compose'
import { findUnansweredInForce, formatUnansweredRule } from 'rubicon-runtime/engine/authority'
import { loadPolicies } from 'rubicon-runtime/policies'
import { redactAddress } from 'rubicon-runtime/ports'
import { nodeCrypto } from 'rubicon-verifier'
import { type Company, createCompany } from '../demo/company/company.ts'
import { startCompanyTraffic } from '../demo/company/today.ts'
import { parseProxies } from '../http/connections/proxies.ts'
import type { McpLists } from '../http/schemas/mcp-lists.ts'
import {
  checkHost,
  checkPort,
  DEFAULT_HOST,
  getDefaultPort,
  type ServeOptions,
  type Serving,
  serveWithGateway,
} from '../http/serve.ts'
import { listForAgent } from '../mcp/list-for-agent.ts'
import type { CommandCall } from './call.ts'
import { type DisposablePlace, markDisposable, removeDisposableMark } from './disposable-store.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure, unwrap } from './failure.ts'
import { deliverToken } from './first-token.ts'
import { warnOfOtherFiles } from './known-contents.ts'
import type { ModuleAdvisers } from './module-advisers.ts'
import { parseSqlitePath } from './open.ts'
import { SYMBOLS } from './output.ts'
import { assertPortFree } from './port-free.ts'
import { loadRules, type RulesModule } from './rules-module.ts'
import { createStopSignal } from './stop-signal.ts'
import { parseArtifacts } from './up-artifacts.ts'
import {
  askDemoCarrier,
  assertCompanyStore,
  assertNobodyElses,
  chooseDemoProject,
  type DemoOfUp,
  makeDemoProject,
  openDemoGateway,
  type Stoppable,
  startDemoProject,
  writeDemoHistory,
} from './up-demo.ts'
import type { UpGateway } from './up-mcp.ts'
import { parseOidcOptions } from './up-oidc.ts'
import { parseTokenOptions } from './up-people.ts'
import { askForRules } from './up-rules.ts'
import { listTenantPlaces, type OpenTenant, openTenant, type TenantPlace } from './up-tenants.ts'
import { readVersion } from './version.ts'

export async function serveRuntime(call: CommandCall): Promise<ExitCode> {
  const listens = parseListenOptions(call)
  const [place, ...others] = listTenantPlaces(call)
  const provider = parseOidcOptions(call)
  const company = call.options.hasFlag('demo') ? createCompany() : null
  // Before anything is made: who starts it twice is told of the port, not of a locked file, and leaves no mark without a store.
  await assertPortFree(listens.host, listens.port)
  if (company !== null) await assertNobodyElses(call, place)
  // Before the gateway of the demo writes its files: a mark is for a folder in which there is nothing.
  if (company !== null && others.length === 0)
    markDisposable(toDisposable(place), 'demo', place.tenant)
  const gate = await openGatewayOf(call, company === null ? null : place)
  const gateway = gate?.gateway ?? null
  const folder = findArtifactsFolder(call, gate)
  const project = company === null ? null : chooseDemoProject(place, folder)
  const first = { ...place, ...parseArtifacts({ ...place, folder }), ...project }
  const hasCarrier = gate !== null && call.options.text('mcp') === undefined
  const demo =
    company === null ? null : { company, project: project?.artifacts.files ?? null, hasCarrier }
  const rules = await loadRulesModule(call, company, gateway, folder !== undefined)
  const { stopped } = createStopSignal()
  const open: OpenTenant[] = []
  try {
    if (company === null) removeDisposableMark(toDisposable(first))
    // The company is one tenant; the others are empty.
    makeDemoProject(demo?.project ?? null)
    await writeDemoHistory(call, first, rules, company)
    for (const one of [first, ...others]) {
      const own = one === first ? rules : toRulesBeside(rules, gateway)
      const tenant = await openTenant(call, one, own)
      open.push(tenant)
      await tenant.runtime.start()
      if (company !== null && one === first) await assertCompanyStore(tenant.runtime)
      await askForRules(call, tenant.runtime)
      await warnOfUnanswered(call, tenant.runtime)
      await warnOfOtherFiles(call.out, tenant.runtime, one.artifacts?.files)
    }
    const [main, ...beside] = open
    assert(main !== undefined, 'there is a first tenant')
    const options = {
      ...listens,
      ...provider,
      person: parseTokenOptions(call),
      metrics: main.metrics,
      others: beside,
    }
    const door = gate === null ? {} : { mcp: gate.openDoor(main.runtime) }
    const behind = gateway === null ? {} : { mcpLists: buildMcpLists(gateway, main.runtime) }
    const serving = await serveWithGateway(main.runtime, options, { ...door, ...behind })
    await serveUntilStopped(call, main.runtime, serving, demo, first, stopped)
  } finally {
    for (const tenant of open) await tenant.close()
    await gate?.close()
  }
  return EXIT.done
}

function toDisposable({ store, stateDirectory: state }: TenantPlace): DisposablePlace {
  return { store, state }
}

/** Contracts may come before capabilities, so that nobody could say so when they were deployed. */
async function warnOfUnanswered({ out }: CommandCall, { engine, store }: Runtime): Promise<void> {
  const authority = await engine.context.authorities.loadLatest()
  const { now } = await store.readNow(AUTHORITY)
  for (const agent of [...authority.statuses.keys()].sort()) {
    const contract = findCurrentContract(authority, agent, now)?.contract
    if (contract === undefined || authority.statuses.get(agent) === 'RETIRED') continue
    for (const one of findUnansweredInForce(authority, contract))
      if (one.rule !== null) out.note(`${SYMBOLS.waiting} ${agent}: ${formatUnansweredRule(one)}`)
  }
}

async function serveUntilStopped(
  call: CommandCall,
  runtime: Runtime,
  serving: Serving,
  demo: DemoOfUp | null,
  place: TenantPlace,
  stopped: Promise<void>,
): Promise<void> {
  const { out } = call
  const traffic = demo === null ? null : await startCompanyTraffic(runtime, demo.company)
  let project: Stoppable | null = null
  let carrier: Stoppable | null = null
  try {
    show(call, serving, place, demo)
    project = startDemoProject(call, runtime, demo?.project ?? null)
    carrier = askDemoCarrier(call, runtime, demo?.hasCarrier === true)
    await stopped
    out.note(
      `${SYMBOLS.info} stopping: requests in progress end first; press Ctrl-C again to stop at once`,
    )
  } finally {
    await project?.stop()
    await carrier?.stop()
    await traffic
      ?.stop()
      .catch((error) => out.note(`${SYMBOLS.rejected} ${escapeText(String(error))}`))
  }
}

function show(
  { out, options, place, streams }: CommandCall,
  serving: Serving,
  { stateDirectory: state, artifacts: held }: TenantPlace,
  demo: DemoOfUp | null,
): void {
  const { url, name } = serving
  const artifacts = held?.files ?? null
  const { token, token_file, link } = deliverToken(serving, streams, state)
  const store = parseSqlitePath(place.store) ?? redactAddress(place.store)
  out.line(`${out.symbol(SYMBOLS.allowed)} rubicon ${readVersion()} is up at ${url}`)
  out.line(`  ledger   ${store}`)
  out.line(`  keys     ${state}`)
  if (artifacts !== null) out.line(`  files    ${artifacts}`)
  if (demo !== null) out.line(`  agents   ${countAgents(demo)} of a demo company, at work (--demo)`)
  const isNew = serving.token !== null
  const before = token_file === null ? 'was given' : `was given, in ${token_file}`
  const kept = `the one that ${name} ${before}; \`rubicon token ${name}\` makes another`
  out.line(`  token    ${token ?? (isNew ? `in ${token_file}` : kept)}`)
  if (options.text('role') === 'engine')
    out.note(
      `${SYMBOLS.info} effects wait for a process with --role executor on the same store, with the same rules`,
    )
  if (token !== null) out.note(`${SYMBOLS.info} the token is shown once and stored as a hash`)
  if (isNew && token_file !== null)
    out.note(
      `${SYMBOLS.info} the output is no terminal and may be logged: the token is in its file`,
    )
  out.note(`${SYMBOLS.info} next: open ${link}`)
  out.data({ url, store, state, artifacts, token, token_file, demo: demo !== null })
}

function countAgents({ project, hasCarrier }: DemoOfUp): string {
  if (project === null) return hasCarrier ? 'nine' : 'eight'
  return hasCarrier ? 'twelve' : 'eleven'
}

function parseListenOptions({
  options,
}: CommandCall): Required<Pick<ServeOptions, 'host' | 'port' | 'insecureHost'>> &
  Pick<ServeOptions, 'publicUrl' | 'proxies'> {
  const host = options.text('host') ?? DEFAULT_HOST
  const insecureHost = options.hasFlag('insecureHost')
  const port = options.count('port', getDefaultPort())
  const refused = checkPort(port) ?? checkHost(host, { insecureHost })
  if (refused !== null) throw new CliFailure(refused)
  const publicUrl = options.text('publicUrl')
  const from = options.text('proxyFrom')?.split(',')
  const proxies = {
    hops: options.count('proxyHops', 0),
    ...(from === undefined ? {} : { from: from.map((place) => place.trim()) }),
  }
  const believed = parseProxies(proxies)
  if (!believed.ok) throw new CliFailure(believed.error)
  const at = publicUrl === undefined ? {} : { publicUrl }
  return { host, port, insecureHost, proxies, ...at }
}

async function loadRulesModule(
  { options }: CommandCall,
  company: Company | null,
  gateway: Gateway | null,
  hasArtifacts: boolean,
): Promise<RulesModule> {
  const module = options.text('rules')
  const written = module === undefined ? NO_RULES : await loadRules(module)
  const capabilities = [...written.capabilities, ...(gateway?.capabilities ?? [])]
  const rules = { ...written, capabilities }
  if (company !== null)
    return {
      ...rules,
      capabilities: [...rules.capabilities, ...company.capabilities],
      policies: [...rules.policies, ...(await loadCompanyRules(company))],
      topics: [...(rules.topics ?? []), ...company.topics],
      topologies: [...(rules.topologies ?? []), ...company.topologies],
      sources: company.createSources(Date.now),
      advisers: joinAdvisers(written.advisers, company),
    }
  if (module !== undefined || gateway !== null || hasArtifacts) return rules
  throw new CliFailure({
    code: 'RULES_NEEDED',
    summary: 'no capabilities are configured',
    why: 'without capabilities every proposal is refused, and every uncertain effect goes to a person',
    fix: 'add --rules MODULE with the capabilities, --mcp FILE with MCP servers, --artifacts FOLDER with files that agents change, or --demo for a demo company',
  })
}

/** The servers behind the gateway are the same for all tenants, and its clients are of the first. */
function toRulesBeside(rules: RulesModule, gateway: Gateway | null): RulesModule {
  const { capabilities } = rules
  return { ...rules, capabilities: gateway?.toBeside(capabilities) ?? capabilities }
}

function joinAdvisers(
  { models = {}, softGuards = [], ...others }: ModuleAdvisers = {},
  company: Company,
): ModuleAdvisers {
  return {
    ...others,
    models: { ...models, ...company.models },
    softGuards: [...softGuards, ...company.softGuards],
  }
}

/** Of the command, or of the MCP file, which `rubicon mcp` starts a server with. */
function findArtifactsFolder({ options }: CommandCall, gate: UpGateway | null): string | undefined {
  return options.text('artifacts') ?? gate?.artifacts
}

/** Loaded only by whoever has one: its libraries take time to start. */
async function openGatewayOf(
  { options }: CommandCall,
  demoPlace: TenantPlace | null,
): Promise<UpGateway | null> {
  const file = options.text('mcp')
  if (file === undefined) return demoPlace === null ? null : openDemoGateway(demoPlace)
  const { openUpGateway } = await import('./up-mcp.ts')
  return openUpGateway(resolve(file))
}

function buildMcpLists(gateway: Gateway, runtime: Runtime): McpLists {
  return {
    list: (list, agent) => listForAgent(gateway, runtime, list, agent),
    awaitNotices: gateway.awaitNotices,
  }
}

async function loadCompanyRules({ policies }: Company): Promise<readonly Policy[]> {
  const { sha256 } = nodeCrypto
  return unwrap(await loadPolicies(policies, { sha256, folder: process.cwd() }))
}

const NO_RULES: RulesModule = { capabilities: [], policies: [] }
