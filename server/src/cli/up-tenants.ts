/** The tenants that `rubicon up` serves: each with a runtime, a store, keys and figures of its own. */
import { join, resolve } from 'node:path'
import { escapeControls, isIdentifier } from 'rubicon-kernel'
import {
  createObservability,
  createRuntime,
  type Observability,
  type Runtime,
  type RuntimeOptions,
  resolveStateDirectory,
  systemClock,
  toTenantFileName,
} from 'rubicon-runtime/compose'
import { readings } from 'rubicon-runtime/engine/telemetry'
import { getDefaultPort } from '../http/serve.ts'
import type { ServedMetrics } from '../http/server-parts.ts'
import { type CommandCall, createUsageFailure } from './call.ts'
import { parseSqlitePath, toKeyOptions } from './open.ts'
import type { RulesModule } from './rules-module.ts'
import { listOf } from './up-people.ts'
import { parseRegistry } from './up-registry.ts'
import { type ExecutorsOption, parseExecutors } from './up-role.ts'
import { createAgreeCommand, parseAcceptedRules } from './up-rules.ts'

export type TenantPlace = {
  readonly tenant: string
  readonly store: string
  readonly stateDirectory: string
  readonly executors: ExecutorsOption
  /** A registry elsewhere; without it, authority is read from the store. */
  readonly manifest?: NonNullable<RuntimeOptions['manifest']>
  /** Files that its agents change; without it, there are none. */
  readonly artifacts?: NonNullable<RuntimeOptions['artifacts']>
}

export type OpenTenant = {
  readonly runtime: Runtime
  readonly metrics: ServedMetrics
  close(): Promise<void>
}

/** The first is where the command says; the others are beside it. */
export function listTenantPlaces(call: CommandCall): readonly [TenantPlace, ...TenantPlace[]] {
  const { options, place } = call
  const executors = parseExecutors(call)
  const [first = place.tenant, ...others] = parseTenantNames(options.text('tenants'))
  const state = resolve(place.state ?? resolveStateDirectory(place.store))
  return [
    {
      ...{ tenant: first, store: place.store, stateDirectory: state, executors },
      ...parseRegistry(call, [first, ...others]),
    },
    ...others.map((tenant) => ({
      tenant,
      store: storeBeside(place.store, tenant),
      stateDirectory: join(state, 'tenants', toTenantFileName(tenant)),
      executors,
    })),
  ]
}

function parseTenantNames(text: string | undefined): readonly string[] {
  if (text === undefined) return []
  const names = listOf(text)
  const odd = names.find((name, i) => !isIdentifier(name) || names.indexOf(name) !== i)
  if (odd === undefined) return names
  throw createUsageFailure(
    `\`${odd}\` is no tenant, or one twice`,
    'use letters, digits and . _ : @ -',
  )
}

/** A file belongs to one tenant; a server has room for all of them. */
function storeBeside(store: string, tenant: string): string {
  const path = parseSqlitePath(store)
  if (path === undefined) return store
  const [, stem = path, end = ''] = /^(.*?)(\.[^./\\]+)?$/s.exec(path) ?? []
  return `sqlite:${stem}.${encodeURIComponent(tenant)}${end}`
}

export async function openTenant(
  call: CommandCall,
  place: TenantPlace,
  { advisers = {}, ...law }: RulesModule,
): Promise<OpenTenant> {
  const observed = await openObservability(call)
  const { telemetry } = observed
  try {
    const runtime = await createRuntime({
      ...place,
      ...toKeyOptions(call.place),
      telemetry,
      ...chooseReport(call),
      ...law,
      ...advisers,
      ...parseAcceptedRules(call),
      ...parseChannels(call, place),
      agreeing: createAgreeCommand(process.argv.slice(2)),
    })
    return {
      runtime,
      metrics: createMetrics(observed, runtime),
      async close() {
        await runtime.close()
        await observed.close()
      },
    }
  } catch (error) {
    await observed.close()
    throw error
  }
}

/** On a terminal a runtime writes its notices for people: where somebody takes the lines, they are JSON. */
export function chooseReport({
  streams,
  options,
}: Pick<CommandCall, 'streams' | 'options'>): Pick<RuntimeOptions, 'report'> {
  const { stderr } = streams
  const isRead = stderr === process.stderr && stderr.isTTY === true
  if (isRead && !options.hasFlag('json') && !options.hasFlag('log')) return {}
  return { report: (line) => void stderr.write(`${escapeControls(line)}\n`) }
}

/**
 * Secrets and private hosts are of the first tenant: an operator of another must not write mail with its password.
 * Where messages lead to is known before anything listens, unless any free port will do.
 */
function parseChannels(
  call: CommandCall,
  { tenant }: TenantPlace,
): Pick<RuntimeOptions, 'channels' | 'consoleUrl'> {
  const { options } = call
  const [first] = listTenantPlaces(call)
  const file = tenant === first.tenant ? options.text('channels') : undefined
  const port = options.count('port', getDefaultPort())
  const here = port === 0 ? undefined : `http://127.0.0.1:${port}`
  const consoleUrl = options.text('publicUrl')?.replace(/\/+$/, '') ?? here
  return {
    ...(file === undefined ? {} : { channels: resolve(file) }),
    ...(consoleUrl === undefined ? {} : { consoleUrl }),
  }
}

function openObservability({ options, streams }: CommandCall): Promise<Observability> {
  const traces = options.text('traces')
  return createObservability({
    clock: systemClock,
    ...(traces === undefined ? {} : { traces }),
    ...(options.hasFlag('log')
      ? { log: (line) => void streams.stderr.write(`${escapeControls(line)}\n`) }
      : {}),
  })
}

function createMetrics(observed: Observability, runtime: Runtime): ServedMetrics {
  return {
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    render: async () => observed.metrics(await readings(runtime.engine.context)),
  }
}
