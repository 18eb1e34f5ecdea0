/**
 * Ids of traces and spans. A trace is a flow, so its id is the dfid itself; a span is named by what
 * it is about, so its id is the hash of that, and no process has to tell another.
 */
import { hash } from 'node:crypto'
import type { SpanRef } from '../../ports/telemetry.ts'

/** 32 hexadecimal digits. */
export function traceId(dfid: string): string {
  return dfid.replaceAll('-', '')
}

/** 16 hexadecimal digits. */
export function computeSpanId({ dfid, name, ordinal }: SpanRef): string {
  return hash('sha256', `${dfid} ${name} ${ordinal}`, 'hex').slice(0, 16)
}
