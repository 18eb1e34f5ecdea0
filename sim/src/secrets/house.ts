/**
 * The runtime behind its server, in a process of its own, with every kind of credential that it can be given. What it
 * is told on its command line are paths; where the secrets are is said in a file that holds none of them.
 */
import { readFileSync } from 'node:fs'
import {
  createAnthropicProvider,
  createGoogleProvider,
  createModelAuditor,
  createModelGuard,
  createObservability,
  createOpenAiProvider,
  createRuntime,
  type Runtime,
  type RuntimeOptions,
  systemClock,
  webhookNotifier,
} from '../../../runtime/src/compose.ts'
import { registerKey } from '../../../runtime/src/engine/authority/keys.ts'
import { readings } from '../../../runtime/src/engine/telemetry/readings.ts'
import { buildContract } from '../../../server/src/demo/contract.ts'
import { serve } from '../../../server/src/http/serve.ts'
import type { OutsideCase } from './outside.ts'
import {
  type HouseConfig,
  type HouseLine,
  LEAKY_AGENT,
  LEAKY_KINDS,
  OPENAI_VARIABLE,
} from './protocol.ts'

async function openHouse(config: HouseConfig): Promise<Runtime> {
  const { files, outsideUrl, closedUrl, state } = config
  const readSecretFile = (path: string): string => readFileSync(path, 'utf8').trim()
  const log = (line: string): void => void process.stderr.write(`${line}\n`)
  const traces = `file:${config.folder}/traces.ndjson`
  const observed = await createObservability({ clock: systemClock, traces, log })
  const runtime = await createRuntime({
    store: config.store,
    stateDirectory: state,
    passphrase: readSecretFile(files.passphrase),
    telemetry: observed.telemetry,
    report: log,
    ...{ tools: config.tools, channels: config.channels },
    notifiers: {
      operator: webhookNotifier({
        url: `${outsideUrl}/hook`,
        secret: readSecretFile(files.webhook),
      }),
    },
    ...createAdvisers(outsideUrl, () => readSecretFile(files.adviser)),
    models: {
      openai: createOpenAiProvider({
        baseUrl: `${outsideUrl}/openai`,
        key: () => process.env[OPENAI_VARIABLE] ?? '',
      }),
      anthropic: createAnthropicProvider({
        baseUrl: `${outsideUrl}/anthropic`,
        key: () => readSecretFile(files.anthropic),
      }),
      google: createGoogleProvider({
        baseUrl: `${outsideUrl}/google`,
        key: () => readSecretFile(files.google),
      }),
      away: createOpenAiProvider({
        name: 'away',
        baseUrl: `${closedUrl}/openai`,
        key: () => process.env[OPENAI_VARIABLE] ?? '',
      }),
    },
  })
  await runtime.deploy(
    buildContract(LEAKY_AGENT, [...LEAKY_KINDS], {
      permissions: {
        limits: [{ id: 'one', measure: 'amount', max: '1', on_breach: 'escalate' }],
      },
      safety_rules: { rejections_per_hour: 10_000, escalations_per_hour: 1_000 },
    }),
  )
  await registerKey(runtime.engine.context, config.registration)
  const serving = await serve(runtime, {
    port: 0,
    person: { name: 'olga@example.com', token: readSecretFile(files.token) },
    metrics: {
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
      render: async () => observed.metrics(await readings(runtime.engine.context)),
    },
    oidc: {
      issuer: `${outsideUrl}/oidc`,
      clientId: 'rubicon',
      clientSecret: readSecretFile(files.oidc),
      roles: { operator: ['ops'] },
    },
  })
  const line: HouseLine = { url: serving.url }
  process.stdout.write(`${JSON.stringify(line)}\n`)
  process.once('SIGTERM', () => {
    void runtime.close().then(() => observed.close())
  })
  return runtime
}

/** Guards whose model says the key again, in words and in errors; and an auditor. */
function createAdvisers(
  outsideUrl: string,
  key: () => string,
): Pick<RuntimeOptions, 'softGuards' | 'auditors'> {
  const provider = createOpenAiProvider({ name: 'advice', baseUrl: `${outsideUrl}/openai`, key })
  const budget = { window_s: 86_400, tokens: '10000000', agent_share_pct: 100 }
  const cases: readonly OutsideCase[] = ['said', 'denied']
  return {
    softGuards: cases.map((model) =>
      createModelGuard({ name: `guard_${model}`, provider, model, budget }),
    ),
    auditors: [createModelAuditor({ provider, model: 'said', budget })],
  }
}

const [path] = process.argv.slice(2)
if (path !== undefined) await openHouse(JSON.parse(readFileSync(path, 'utf8')) as HouseConfig)
