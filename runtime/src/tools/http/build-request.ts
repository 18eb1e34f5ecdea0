/** A request as it will be sent, all but its secrets. Nothing has left while it is built. */
import {
  describeUnevaluated,
  encodeUtf8,
  evaluateExpression,
  fillJsonTemplate,
  type HttpExecutor,
  toCanonicalText,
  toTemplateText,
} from 'rubicon-kernel'
import type { ManifestCall } from '../hands.ts'
import { createNotSentError } from '../not-sent.ts'
import { readParam } from '../read-param.ts'
import type { HttpRequest } from './exchange.ts'
import { findHeaderProblem, isHeaderValue, type NamedHeaders } from './request-headers.ts'
import { encodeText, fillPath, formatAuthority, type UrlTemplate } from './url-template.ts'

export type RequestDraft = Omit<HttpRequest, 'headers'> & {
  /** With secrets by reference. */
  readonly headers: NamedHeaders
}

export function buildRequest(
  executor: HttpExecutor,
  url: UrlTemplate,
  { params }: Pick<ManifestCall, 'params'>,
  idempotencyKey: string,
): RequestDraft {
  const path = fillPath(url, (pointer) => readParam(params, pointer))
  if (!path.ok) throw createNotSentError('TEMPLATE_UNFILLED', path.error)
  const query = Object.entries(executor.query ?? {}).map(([name, expression]) => {
    const value = evaluateExpression(expression, { params })
    const text = value.ok ? toTemplateText(value.value) : undefined
    if (text === undefined || !text.isWellFormed()) {
      const why = value.ok ? 'is no text and no number' : describeUnevaluated(value.error)
      throw createNotSentError('TEMPLATE_UNFILLED', `the query \`${name}\`: ${why}`)
    }
    return `${encodeText(name)}=${encodeText(text)}`
  })
  const body = buildBody(executor, params)
  return {
    method: executor.method,
    path: query.length === 0 ? path.value : `${path.value}?${query.join('&')}`,
    headers: {
      ...buildHeaders(executor, url, idempotencyKey, body),
      ...buildCondition(executor, params),
    },
    body,
  }
}

function buildBody(
  { body, method }: HttpExecutor,
  params: ManifestCall['params'],
): Uint8Array | null {
  if (body === undefined) return null
  if (method === 'GET' || method === 'HEAD')
    throw createNotSentError('TEMPLATE_UNFILLED', `a ${method} request has no body`)
  const filled = fillJsonTemplate(body, { params })
  if (!filled.ok)
    throw createNotSentError('TEMPLATE_UNFILLED', `the body: ${describeUnevaluated(filled.error)}`)
  return encodeUtf8(toCanonicalText(filled.value))
}

/** A strong entity tag; in quotes, as providers give it, or without, as a version in a document. */
const ENTITY_TAG = /^"?([\x21\x23-\x7e]{1,256})"?$/

function buildCondition(
  { if_match: expression }: HttpExecutor,
  params: ManifestCall['params'],
): Readonly<Record<string, string>> {
  if (expression === undefined) return {}
  const value = evaluateExpression(expression, { params })
  const text = value.ok ? toTemplateText(value.value) : undefined
  const tag = text === undefined ? undefined : ENTITY_TAG.exec(text)?.[1]
  if (text === undefined || tag === undefined || text.startsWith('"') !== text.endsWith('"')) {
    const why = value.ok ? 'is no entity tag' : describeUnevaluated(value.error)
    throw createNotSentError('TEMPLATE_UNFILLED', `the condition: ${why}`)
  }
  return { 'if-match': `"${tag}"` }
}

function buildHeaders(
  executor: HttpExecutor,
  url: UrlTemplate,
  idempotencyKey: string,
  body: Uint8Array | null,
): NamedHeaders {
  const carrier = executor.idempotency_header
  const named: NamedHeaders = {
    ...(executor.headers ?? {}),
    ...(carrier === undefined ? {} : { [carrier]: idempotencyKey }),
  }
  const problem = findHeaderProblem(named)
  if (problem !== null) throw createNotSentError('TEMPLATE_UNFILLED', problem)
  const isSaid = Object.keys(named).some((name) => name.toLowerCase() === 'accept')
  const hasLength =
    body !== null ||
    executor.method === 'POST' ||
    executor.method === 'PUT' ||
    executor.method === 'PATCH'
  return {
    ...named,
    host: formatAuthority(url),
    ...(isSaid ? {} : { accept: 'application/json' }),
    'accept-encoding': 'identity',
    connection: 'close',
    ...(body === null ? {} : { 'content-type': 'application/json' }),
    ...(hasLength ? { 'content-length': String(body?.length ?? 0) } : {}),
  }
}

/** After its secrets were put in: one that holds a line end is not sent. */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  const wrong = Object.keys(headers).find((name) => !isHeaderValue(headers[name] ?? ''))
  if (wrong !== undefined)
    throw createNotSentError(
      'SECRET_UNAVAILABLE',
      `the secret of the header \`${wrong}\` has characters that cannot stand in one`,
    )
}
