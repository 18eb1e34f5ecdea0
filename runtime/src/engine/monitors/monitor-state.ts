/** What a monitor says, in the one word that people look for first. No data is not fine. */
import {
  compareDecimal,
  type Decimal,
  multiplyDecimal,
  parseDecimal,
  type Statistic,
} from 'rubicon-kernel'
import type { MonitorStatus } from './sweep.ts'

export type MonitorState = 'OK' | 'WARNING' | 'TRIPPED' | 'NO_DATA' | 'PAUSED'

export type MonitorBounds = { readonly max: string | null; readonly min: string | null }

/** `why`: the justification of the agent's last move. */
export function computeMonitorState(
  { agent_status, monitor, verdict }: Pick<MonitorStatus, 'agent_status' | 'monitor' | 'verdict'>,
  why: string,
): MonitorState {
  if (agent_status === 'SUSPENDED' && isTripOf(monitor.name, why)) return 'TRIPPED'
  if (agent_status === 'SUSPENDED' || agent_status === 'RETIRED') return 'PAUSED'
  if (verdict.kind === 'no_data') return 'NO_DATA'
  if (verdict.kind === 'trip') return 'TRIPPED'
  return isNear(verdict.value, getMonitorBounds(monitor.statistic)) ? 'WARNING' : 'OK'
}

/** As `tripText` says it; a suspension may name several. */
function isTripOf(name: string, why: string): boolean {
  return why
    .split('; ')
    .some((one) =>
      [`MONITOR_TRIPPED: ${name} is `, `MONITOR_TRIPPED: ${name} cannot read `].some((start) =>
        one.startsWith(start),
      ),
    )
}

export function getMonitorBounds(statistic: Statistic): MonitorBounds {
  switch (statistic.kind) {
    case 'streak':
      return { max: String(statistic.length), min: null }
    case 'cusum':
    case 'shift':
      return { max: statistic.max, min: null }
    default:
      return { max: statistic.max ?? null, min: statistic.min ?? null }
  }
}

const FOUR: Decimal = { digits: 4n, scale: 0 }
const FIVE: Decimal = { digits: 5n, scale: 0 }

/** Four fifths of the way to a bound above zero. */
function isNear(value: string | null, { max, min }: MonitorBounds): boolean {
  const now = parseDecimal(value ?? '')
  if (now === undefined) return false
  const [most, least] = [parseDecimal(max ?? ''), parseDecimal(min ?? '')]
  const isHigh =
    most !== undefined &&
    most.digits > 0n &&
    compareDecimal(multiplyDecimal(now, FIVE), multiplyDecimal(most, FOUR)) >= 0
  const isLow =
    least !== undefined &&
    least.digits > 0n &&
    compareDecimal(multiplyDecimal(now, FOUR), multiplyDecimal(least, FIVE)) <= 0
  return isHigh || isLow
}
