/** Puts monitors in force and takes them back: signed by an operator, in the authority trajectory. */
import {
  type Authority,
  err,
  type Failure,
  hashMonitor,
  LIMITS,
  listSources,
  type Monitor,
  ok,
  parseSource,
  type Result,
} from 'rubicon-kernel'
import {
  appendAuthority,
  buildAuthorityChange,
  type Registrar,
} from '../authority/registry/append-authority.ts'
import { signDocument } from '../rows/sign.ts'
import { checkReason } from '../rows/unreasoned.ts'

export type DeployedMonitorAnswer = {
  readonly name: string
  readonly monitor_hash: string
  readonly unchanged: boolean
}

/**
 * One of the same name takes its place; the same content again changes nothing. `replaces` is the hash of the one that
 * it was written against, null for none; without it whatever stands there is replaced.
 */
export async function deployMonitor(
  registrar: Registrar,
  monitor: Monitor,
  replaces?: string | null,
): Promise<Result<DeployedMonitorAnswer, Failure>> {
  const monitor_hash = hashMonitor(monitor, registrar.sha256)
  const { name } = monitor
  const done = await appendAuthority(registrar, async (authority) => {
    if (authority.monitors.get(name)?.hash === monitor_hash) return buildAuthorityChange()
    const found = authority.monitors.get(name)?.hash ?? null
    if (replaces !== undefined && replaces !== found)
      return err(buildReplacedFailure(name, replaces, found))
    const problem = checkMonitorAdmission(authority, monitor)
    if (problem !== null) return err(problem)
    const body = { action: 'watch', monitor, monitor_hash }
    const signature = await signDocument(registrar, 'operator', 'policy', body)
    return buildAuthorityChange({ kind: 'policy', payload: { body, signature } })
  })
  return done.ok ? ok({ name, monitor_hash, unchanged: done.value.appended === 0 }) : done
}

export async function withdrawMonitor(
  registrar: Registrar,
  name: string,
  reason: string,
): Promise<Result<{ readonly seq: number }, Failure>> {
  const unsaid = checkReason(reason, 'whoever withdraws a monitor')
  if (unsaid !== null) return err(unsaid)
  const done = await appendAuthority(registrar, async (authority) => {
    if (!authority.monitors.has(name)) return err(buildUnknownMonitorFailure(name))
    const body = { action: 'unwatch', name, reason }
    const signature = await signDocument(registrar, 'operator', 'policy', body)
    return buildAuthorityChange({ kind: 'policy', payload: { body, signature } })
  })
  return done.ok ? ok({ seq: done.value.seq }) : done
}

/** Why the monitor could never do its work, or null. */
function checkMonitorAdmission(authority: Authority, monitor: Monitor): Failure | null {
  if (authority.monitors.size >= LIMITS.monitors && !authority.monitors.has(monitor.name))
    return {
      code: 'MONITORS_FULL',
      summary: `there are ${LIMITS.monitors} monitors already`,
      fix: 'withdraw one: `rubicon monitors withdraw NAME`',
    }
  const unregistered = monitor.agents.find((agent) => !authority.contracts.has(agent))
  if (unregistered !== undefined)
    return buildMonitorInvalidFailure(
      monitor,
      `there is no agent \`${unregistered}\``,
      'deploy its contract first',
    )
  const measure = findUnknownMeasure(authority, monitor)
  if (measure === undefined) return null
  return buildMonitorInvalidFailure(
    monitor,
    `no capability measures \`${measure}\``,
    'name a measure of a capability',
  )
}

/** Undefined also where nobody has said yet what is measured. */
function findUnknownMeasure({ rules }: Authority, monitor: Monitor): string | undefined {
  const measured = rules?.capabilities.flatMap(({ measures }) => measures)
  return listSources(monitor)
    .map(parseSource)
    .flatMap((source) => (source?.kind === 'measure' ? [source.name] : []))
    .find((name) => measured?.includes(name) === false)
}

function buildMonitorInvalidFailure({ name }: Monitor, why: string, fix: string): Failure {
  return {
    code: 'MONITOR_INVALID',
    summary: `monitor \`${name}\` cannot be put in force: ${why}`,
    why: 'it would have no data for ever',
    fix,
  }
}

function buildReplacedFailure(
  name: string,
  replaces: string | null,
  found: string | null,
): Failure {
  return {
    code: 'MONITOR_REPLACED',
    summary: `monitor \`${name}\` is not the one that this was written against`,
    why: 'somebody deployed or withdrew it meanwhile',
    fix: 'read what stands there now, and deploy again naming its hash in `replaces`',
    meta: { replaces, found },
  }
}

function buildUnknownMonitorFailure(name: string): Failure {
  return {
    code: 'MONITOR_UNKNOWN',
    summary: `there is no monitor \`${name}\``,
    why: 'thresholds of a contract go with the contract',
    fix: 'see `rubicon monitors list`',
  }
}
