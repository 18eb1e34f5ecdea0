/**
 * `rubicon up`: the runtime behind its server, until it is told to stop.
 *
 * A signal sends new requests away, waits for those under way, and lets go of the store; a second one
 * ends the process at once, which loses nothing that was acknowledged.
 */
import { join, resolve } from 'node:path'
import {
  createObservability,
  createRuntime,
  type Observability,
  type Runtime,
  stateDirectory,
  systemClock,
} from '../compose.ts'
import type { Engine } from '../engine/engine.ts'
import { readings } from '../engine/signals/readings.ts'
import { shownAddress } from '../ports/store-address.ts'
import { DEMO_AGENT, startDemoTraffic } from '../scenarios/demo-traffic.ts'
import { refundCapability } from '../scenarios/refunds.ts'
import { peopleOf } from '../server/people.ts'
import { type Metrics, type RunningServer, startServer } from '../server/server.ts'
import { type Call, usage } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure, failureText, unwrap } from './failure.ts'
import { sqlitePath } from './open.ts'
import { SYMBOLS } from './output.ts'
import { assertPortFree } from './port-free.ts'
import { loadRules, type RulesModule } from './rules-module.ts'
import { type Doorkeeper, doorkeeper } from './up-people.ts'
import { version } from './version.ts'

const PORT = 7420
const LOOPBACK: readonly string[] = ['127.0.0.1', '::1', 'localhost']

export async function up(call: Call): Promise<ExitCode> {
  const { options, place } = call
  const host = hostOf(call)
  const port = options.count('port', PORT)
  if (port > 65_535) throw usage(`\`${port}\` is no port`, 'use --port 0 to 65535')
  const rules = await rulesOf(call)
  // Before the store is opened: who starts it twice is told of the port, not of a locked file.
  await assertPortFree(host, port)
  const stopped = signalled()
  const state = resolve(place.state ?? stateDirectory())
  const { store, tenant } = place
  const observed = await observability(call)
  const { telemetry } = observed
  const runtime = await createRuntime({ store, tenant, stateDirectory: state, telemetry, ...rules })
  try {
    const { context } = await runtime.start()
    const keeper = doorkeeper(call, join(state, 'people.json'), context)
    const server = unwrap(
      await startServer(
        {
          engine: runtime.engine,
          people: peopleOf(() => keeper.people, context.sha256),
          host,
          metrics: metricsOf(observed, runtime.engine),
          report: (line) => call.streams.stderr.write(`${line}\n`),
        },
        port,
      ),
    )
    await serve(call, runtime, server, keeper, state, stopped)
  } finally {
    await runtime.close()
    await observed.close()
  }
  return EXIT.done
}

function observability({ options, streams }: Call): Promise<Observability> {
  const traces = options.text('traces')
  return createObservability({
    clock: systemClock,
    ...(traces === undefined ? {} : { traces }),
    ...(options.flag('log') ? { log: (line) => void streams.stderr.write(`${line}\n`) } : {}),
  })
}

function metricsOf(observed: Observability, { context }: Engine): Metrics {
  return {
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    render: async () => observed.metrics(await readings(context)),
  }
}

async function serve(
  call: Call,
  runtime: Runtime,
  server: RunningServer,
  keeper: Doorkeeper,
  state: string,
  stopped: Promise<void>,
): Promise<void> {
  const { out, options } = call
  const isDemo = options.flag('demo')
  const demo = isDemo ? await startDemoTraffic(runtime) : null
  try {
    show(call, server, keeper, state)
    await stopped
    out.note(`${SYMBOLS.info} stopping: what is under way ends first; Ctrl-C again does not wait`)
  } finally {
    await demo
      ?.stop()
      .catch((error) => out.note(failureText({ code: 'DEMO', summary: String(error) })))
    await server.close()
  }
}

function show(
  { out, options, place }: Call,
  { url }: RunningServer,
  { made, name }: Doorkeeper,
  state: string,
): void {
  const store = sqlitePath(place.store) ?? shownAddress(place.store)
  const isDemo = options.flag('demo')
  out.line(`${out.symbol(SYMBOLS.allowed)} rubicon ${version()} is up at ${url}`)
  out.line(`  ledger   ${store}`)
  out.line(`  keys     ${state}`)
  if (isDemo) out.line(`  agents   ${DEMO_AGENT} asks every five seconds (--demo)`)
  out.line(`  token    ${made ?? `the one that ${name} was shown; --new-token makes another`}`)
  if (made !== null) out.note(`${SYMBOLS.info} the token is shown once and kept as a hash`)
  out.note(`${SYMBOLS.info} next: curl -H "Authorization: Bearer TOKEN" ${url}/v1/escalations`)
  out.data({ url, store, state, token: made, demo: isDemo })
}

function hostOf({ options }: Call): string {
  const host = options.text('host') ?? '127.0.0.1'
  if (LOOPBACK.includes(host) || options.flag('insecureHost')) return host
  throw new CliFailure({
    code: 'HOST_INSECURE',
    summary: `\`${host}\` can be reached from other machines`,
    why: 'tokens and decisions would travel in clear text',
    fix: 'put a proxy with TLS in front of 127.0.0.1, or say --insecure-host',
  })
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
