/**
 * The gateway for clients that come over HTTP, in either era of the protocol. Each request has a server of its own, which
 * ends with it: between two requests nothing is remembered, so that there is no session that somebody could take over.
 *
 * Boundary: who asks, and whether they may, was found out before. The request has no credentials any more.
 */
import { createMcpHandler, type Server } from '@modelcontextprotocol/server'
import type { ListName } from '../notices/server-notice.ts'

export type HttpFront = {
  /** `body`: what was read of the request's body. */
  answer(request: Request, body: unknown): Promise<Response>
  /** Tells clients that listen. */
  tellChanged(list: ListName): void
  close(): Promise<void>
}

type Notify = ReturnType<typeof createMcpHandler>['notify']

const TOLD: Readonly<Record<ListName, (notify: Notify) => void>> = {
  prompts: (notify) => notify.promptsChanged(),
  resources: (notify) => notify.resourcesChanged(),
  tools: (notify) => notify.toolsChanged(),
}

/** Clients that listen for changes, at the same time. */
const MOST_LISTENERS = 64

export function createHttpFront(
  create: (origin: string) => Server,
  onError: (error: Error) => void,
): HttpFront {
  const handler = createMcpHandler(
    ({ requestInfo }) => create(requestInfo === undefined ? '' : new URL(requestInfo.url).origin),
    { onerror: onError, maxSubscriptions: MOST_LISTENERS },
  )
  return {
    answer: (request, parsedBody) => handler.fetch(request, { parsedBody }),
    tellChanged: (list) => TOLD[list](handler.notify),
    close: () => handler.close(),
  }
}
