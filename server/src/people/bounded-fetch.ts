/** Asks a provider, and reads no more of an answer than one can be long: whoever waits to sign in shares the memory of decisions. */
import type { CustomFetchOptions } from 'openid-client'
import { LIMITS } from 'rubicon-kernel'

export async function fetchBounded(
  url: string,
  { body: asked = null, ...options }: CustomFetchOptions,
): Promise<Response> {
  const { body, status, statusText, headers } = await fetch(url, { ...options, body: asked })
  let left = LIMITS.oidcAnswerBytes
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      left -= part.length
      if (left < 0) controller.error(new Error('the answer of the provider is too long'))
      else controller.enqueue(part)
    },
  })
  return new Response(body?.pipeThrough(bound) ?? null, { status, statusText, headers })
}
