/** Spans in the JSON form of the OpenTelemetry protocol, version 1. */
import { ATTRIBUTES, type Span, type SpanRef } from '../../ports/telemetry.ts'
import { computeSpanId, traceId } from './span-id.ts'

/** Integers are decimal text, as 64 bits of them are in JSON. */
type Value =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly doubleValue: number }

type KeyValue = {
  readonly key: string
  readonly value: Value
}

type OtlpLink = { readonly traceId: string; readonly spanId: string }

export type OtlpSpan = OtlpLink & {
  readonly parentSpanId?: string
  readonly name: string
  /** 1: internal, as the conventions have agents and tools that run in process. */
  readonly kind: 1
  /** Nanoseconds, as decimal text. */
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly KeyValue[]
  readonly links: readonly OtlpLink[]
  /** 0: nothing to say; 2: it failed. */
  readonly status: { readonly code: 0 | 2 }
}

/** The body of a request to `/v1/traces`. */
export type OtlpRequest = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] }
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string; readonly version: string }
      readonly spans: readonly OtlpSpan[]
    }[]
  }[]
}

/** What sends them: how the deployment is called, and the release that made them. */
export type Service = { readonly name: string; readonly version: string }

export function toOtlpRequest({ name, version }: Service, spans: readonly Span[]): OtlpRequest {
  const attributes = [toKeyValue('service.name', name), toKeyValue('service.version', version)]
  const resource = { attributes }
  const scopeSpans = [{ scope: { name: 'rubicon', version }, spans: spans.map(toOtlpSpan) }]
  return { resourceSpans: [{ resource, scopeSpans }] }
}

function toOtlpSpan(span: Span): OtlpSpan {
  const { ref, parent, attributes, links = [], failed = false } = span
  return {
    ...toOtlpLink(ref),
    ...(parent === null ? {} : { parentSpanId: computeSpanId(parent) }),
    name: displayName(span),
    kind: 1,
    startTimeUnixNano: formatNanoseconds(span.start),
    endTimeUnixNano: formatNanoseconds(Math.max(span.start, span.end)),
    // By the list, not by what is there: an attribute that nobody planned is not sent.
    attributes: ATTRIBUTES.flatMap((name) => {
      const value = attributes[name]
      return value === undefined ? [] : [toKeyValue(name, value)]
    }),
    links: links.map(toOtlpLink),
    status: { code: failed ? 2 : 0 },
  }
}

/** The conventions want the operation and its object in the name. */
function displayName({ ref: { name }, attributes }: Span): string {
  const operation = attributes['gen_ai.operation.name']
  if (name === 'flow') return `${operation} ${attributes['gen_ai.agent.id']}`
  if (operation !== undefined) return `${operation} ${attributes['gen_ai.tool.name']}`
  return name.replace('.', ' ')
}

function toOtlpLink(ref: SpanRef): OtlpLink {
  return { traceId: traceId(ref.dfid), spanId: computeSpanId(ref) }
}

function toKeyValue(key: string, value: string | number): KeyValue {
  if (typeof value === 'string') return { key, value: { stringValue: value } }
  const isWhole = Number.isSafeInteger(value)
  return { key, value: isWhole ? { intValue: String(value) } : { doubleValue: value } }
}

/** Milliseconds since 1970 in nanoseconds are more than a double holds. */
function formatNanoseconds(ms: number): string {
  const whole = Math.floor(ms)
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.floor((ms - whole) * 1e6)))
}
