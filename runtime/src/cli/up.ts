/**
 * `rubicon up`: the runtime behind its server, until it is told to stop.
 *
 * A signal sends new requests away, waits for those under way, and lets go of the store; a second one
 * ends the process at once, which loses nothing that was acknowledged.
 */
import { AUTHORITY, assert, currentContract } from 'rubicon-kernel'
import type { Runtime, Serving } from '../compose.ts'
import { unansweredBy, unansweredSentence } from '../engine/registry/unanswered-rules.ts'
import { shownAddress } from '../ports/store-address.ts'
import { DEMO_AGENT, startDemoTraffic } from '../scenarios/demo-traffic.ts'
import { refundCapability } from '../scenarios/refunds.ts'
import { DEFAULT_HOST, defaultPort, hostProblem, portProblem, type ServeOptions } from '../serve.ts'
import { proxiesOf } from '../server/proxies.ts'
import type { Call } from './call.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure } from './failure.ts'
import { handOverToken } from './first-token.ts'
import { sqlitePath } from './open.ts'
import { SYMBOLS } from './output.ts'
import { assertPortFree } from './port-free.ts'
import { loadRules, type RulesModule } from './rules-module.ts'
import { providerOf } from './up-oidc.ts'
import { personOf } from './up-people.ts'
import { askForRules } from './up-rules.ts'
import { type OpenTenant, openTenant, tenantPlaces } from './up-tenants.ts'
import { version } from './version.ts'

export async function up(call: Call): Promise<ExitCode> {
  const listens = listensAt(call)
  const [first, ...others] = tenantPlaces(call)
  const provider = providerOf(call)
  const rules = await rulesOf(call)
  // Before the store is opened: who starts it twice is told of the port, not of a locked file.
  await assertPortFree(listens.host, listens.port)
  const stopped = signalled()
  const open: OpenTenant[] = []
  try {
    for (const place of [first, ...others]) {
      const tenant = await openTenant(call, place, rules)
      open.push(tenant)
      await tenant.runtime.start()
      await askForRules(call, tenant.runtime)
      await warnOfUnanswered(call, tenant.runtime)
    }
    const [main, ...beside] = open
    assert(main !== undefined, 'there is a first tenant')
    const serving = await main.runtime.serve({
      ...listens,
      ...provider,
      person: personOf(call),
      metrics: main.metrics,
      others: beside.map(({ runtime: { engine, lookups }, metrics }) => ({
        engine,
        lookups,
        metrics,
      })),
    })
    await untilStopped(call, main.runtime, serving, first.stateDirectory, stopped)
  } finally {
    for (const tenant of open) await tenant.close()
  }
  return EXIT.done
}

/** Contracts may come before capabilities, so that nobody could say so when they were deployed. */
async function warnOfUnanswered({ out }: Call, { engine, store }: Runtime): Promise<void> {
  const authority = await engine.context.authorities.latest()
  const { now } = await store.now(AUTHORITY)
  for (const agent of [...authority.statuses.keys()].sort()) {
    const contract = currentContract(authority, agent, now)?.contract
    if (contract === undefined || authority.statuses.get(agent) === 'RETIRED') continue
    for (const one of unansweredBy(authority, contract))
      if (one.rule !== null) out.note(`${SYMBOLS.waiting} ${agent}: ${unansweredSentence(one)}`)
  }
}

async function untilStopped(
  call: Call,
  runtime: Runtime,
  serving: Serving,
  state: string,
  stopped: Promise<void>,
): Promise<void> {
  const { out, options } = call
  const isDemo = options.flag('demo')
  const demo = isDemo ? await startDemoTraffic(runtime) : null
  try {
    show(call, serving, state)
    await stopped
    out.note(`${SYMBOLS.info} stopping: what is under way ends first; Ctrl-C again does not wait`)
  } finally {
    await demo
      ?.stop()
      .catch((error) => out.note(`${SYMBOLS.rejected} ${escapeText(String(error))}`))
  }
}

function show({ out, options, place, streams }: Call, serving: Serving, state: string): void {
  const { url, name } = serving
  const { token, token_file, link } = handOverToken(serving, streams, state)
  const store = sqlitePath(place.store) ?? shownAddress(place.store)
  const isDemo = options.flag('demo')
  out.line(`${out.symbol(SYMBOLS.allowed)} rubicon ${version()} is up at ${url}`)
  out.line(`  ledger   ${store}`)
  out.line(`  keys     ${state}`)
  if (isDemo) out.line(`  agents   ${DEMO_AGENT} asks every five seconds (--demo)`)
  const before = `the one that ${name} was shown; \`rubicon token ${name}\` makes another`
  out.line(`  token    ${token ?? (token_file === null ? before : `in ${token_file}`)}`)
  if (options.text('role') === 'engine')
    out.note(
      `${SYMBOLS.info} effects wait for a process with --role executor on the same store, with the same rules`,
    )
  if (token !== null) out.note(`${SYMBOLS.info} the token is shown once and kept as a hash`)
  if (token_file !== null)
    out.note(
      `${SYMBOLS.info} this is no terminal, and logs are read by others: take the token out of its file`,
    )
  out.note(`${SYMBOLS.info} next: open ${link}`)
  out.data({ url, store, state, token, token_file, demo: isDemo })
}

function listensAt({
  options,
}: Call): Required<Pick<ServeOptions, 'host' | 'port' | 'insecureHost'>> &
  Pick<ServeOptions, 'publicUrl' | 'proxies'> {
  const host = options.text('host') ?? DEFAULT_HOST
  const insecureHost = options.flag('insecureHost')
  const port = options.count('port', defaultPort())
  const refused = portProblem(port) ?? hostProblem(host, { insecureHost })
  if (refused !== null) throw new CliFailure(refused)
  const publicUrl = options.text('publicUrl')
  const from = options.text('proxyFrom')?.split(',')
  const proxies = {
    hops: options.count('proxyHops', 0),
    ...(from === undefined ? {} : { from: from.map((place) => place.trim()) }),
  }
  const believed = proxiesOf(proxies)
  if (!believed.ok) throw new CliFailure(believed.error)
  const at = publicUrl === undefined ? {} : { publicUrl }
  return { host, port, insecureHost, proxies, ...at }
}

async function rulesOf({ options }: Call): Promise<RulesModule> {
  const module = options.text('rules')
  const rules = module === undefined ? NO_RULES : await loadRules(module)
  if (options.flag('demo'))
    return { ...rules, capabilities: [...rules.capabilities, refundCapability([])] }
  if (module !== undefined) return rules
  throw new CliFailure({
    code: 'RULES_NEEDED',
    summary: 'nothing says what this runtime can do',
    why: 'without capabilities every proposal is refused, and every uncertain effect goes to a person',
    fix: 'add --rules MODULE with the capabilities, or --demo to look around',
  })
}

const NO_RULES: RulesModule = { capabilities: [], policies: [] }

/** Resolves with the first signal; the next one finds the default again. */
function signalled(): Promise<void> {
  return new Promise((done) => {
    const stop = (): void => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
      done()
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
  })
}
