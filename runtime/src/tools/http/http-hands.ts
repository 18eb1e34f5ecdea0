/**
 * Carries out the HTTP executor of a manifest.
 *
 * 1. Nothing is connected to that the operator's list does not name, and only at addresses that were looked at.
 * 2. Up to the connection, failure says that nothing happened. From the first byte of the request on, only a
 *    status that the manifest lists says anything; all else is thrown, and the effect is UNKNOWN.
 * 3. No redirect is followed: where it leads was decided by nobody.
 * 4. What comes back loses the secrets that went out, before it is returned or thrown.
 */
import type { Socket } from 'node:net'
import { type HttpExecutor, isObject, LIMITS, shorten } from 'rubicon-kernel'
import { type EffectIo, NotApplied } from '../../ports/capability.ts'
import type { ManifestAnswer, ManifestCall } from '../hands.ts'
import { createNotSentError } from '../not-sent.ts'
import { createRedaction, type Redaction } from '../redaction.ts'
import { readGranted, type SecretGrants, type SecretPlace } from '../secret-grants.ts'
import { findAllowance, type HttpAllowance } from './allowance.ts'
import { buildRequest, checkHeaders, type RequestDraft } from './build-request.ts'
import { exchange, type HttpRequest } from './exchange.ts'
import { type ConnectionOptions, openConnection } from './open-connection.ts'
import { readOutcome } from './read-outcome.ts'
import { type ResolveHost, resolveAllowed, resolveBySystem } from './resolve-host.ts'
import { parseUrlTemplate, type UrlTemplate } from './url-template.ts'

export type HttpHandsOptions = {
  readonly allowed: readonly HttpAllowance[]
  readonly secrets: SecretGrants
  readonly resolve?: ResolveHost
  readonly connection?: ConnectionOptions
}

export async function executeHttp(
  options: HttpHandsOptions,
  executor: HttpExecutor,
  call: ManifestCall,
  io: EffectIo,
): Promise<ManifestAnswer> {
  const { url, allowance } = findTarget(options, executor)
  const draft = buildRequest(executor, url, call, io.idempotencyKey)
  const deadline = startDeadline(executor.timeout_ms, io.signal)
  try {
    const { resolve = resolveBySystem, connection } = options
    const addresses = await Promise.race([resolveAllowed(allowance, resolve), deadline.passed])
    const { request, redaction } = await insertSecrets(options.secrets, draft, call.kind, {
      kind: 'host',
      scheme: url.scheme,
      host: url.host,
      port: url.port,
      isLocal: allowance.addresses === 'loopback',
    })
    const socket = await openConnection(allowance, addresses, deadline.signal, connection)
    if (deadline.isOver() || io.signal.aborted) throw refuseLate(socket)
    const bounds = { bytes: chooseBytes(executor.max_bytes), signal: deadline.signal }
    const answer = await exchange(socket, request, bounds).catch((error: Error) => {
      throw new Error(redaction.redactText(error.message))
    })
    return readOutcome(executor, answer, redaction)
  } finally {
    deadline.cancel()
  }
}

function findTarget(
  { allowed }: HttpHandsOptions,
  { url: text, method }: HttpExecutor,
): { readonly url: UrlTemplate; readonly allowance: HttpAllowance } {
  const url = parseUrlTemplate(text)
  if (!url.ok) throw createNotSentError('EGRESS_DENIED', shorten(url.error, LIMITS.wordsLength))
  const allowance = findAllowance(allowed, url.value, method)
  if (allowance !== undefined) return { url: url.value, allowance }
  const { scheme, host, port } = url.value
  throw createNotSentError(
    'EGRESS_DENIED',
    `${method} ${scheme}://${host}:${port} is not allowed`,
    {
      scheme,
      host,
      port,
      method,
    },
  )
}

async function insertSecrets(
  grants: SecretGrants,
  { headers, ...rest }: RequestDraft,
  tool: string,
  place: SecretPlace,
): Promise<{ readonly request: HttpRequest; readonly redaction: Redaction }> {
  const texts: Record<string, string> = {}
  const hidden: string[] = []
  for (const [name, value] of Object.entries(headers)) {
    if (!isObject(value)) {
      texts[name] = value
      continue
    }
    const used = await readGranted(grants, value, tool, place)
    texts[name] = used.text
    hidden.push(used.value, used.text)
  }
  checkHeaders(texts)
  return { request: { ...rest, headers: texts }, redaction: createRedaction(hidden) }
}

function chooseBytes(said: number | undefined): number {
  return Math.min(said ?? LIMITS.resultBytes, LIMITS.resultBytes)
}

/** Nothing was written to it. */
function refuseLate(socket: Socket): NotApplied {
  socket.destroy()
  return new NotApplied('its time was over before it was sent', { transient: true })
}

type Deadline = {
  readonly signal: AbortSignal
  readonly passed: Promise<never>
  /**
   * By the clocks: a process that was stopped hears of its connection before its timers ring, and a machine
   * that slept has stood still by one of them.
   */
  isOver(): boolean
  cancel(): void
}

/** The manifest's, and the engine's, whichever passes first. */
function startDeadline(said: number | undefined, engine: AbortSignal): Deadline {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  const ms = Math.min(said ?? LIMITS.toolMs, LIMITS.manifestTimeoutMs)
  const [monotonic, wall] = [performance.now(), Date.now()]
  const timer = setTimeout(abort, ms)
  engine.addEventListener('abort', abort, { once: true })
  if (engine.aborted) abort()
  const passed = new Promise<never>((_, reject) => {
    const refuse = (): void => reject(new NotApplied('no connection in time', { transient: true }))
    controller.signal.addEventListener('abort', refuse, { once: true })
    if (controller.signal.aborted) refuse()
  })
  // Whoever no longer waits for it is not told.
  passed.catch(() => {})
  return {
    signal: controller.signal,
    passed,
    isOver: () => performance.now() - monotonic >= ms || Date.now() - wall >= ms,
    cancel() {
      clearTimeout(timer)
      engine.removeEventListener('abort', abort)
    },
  }
}
