import type { Client } from '@modelcontextprotocol/client'
import type { JsonValue } from 'rubicon-kernel'
import type { Redaction } from 'rubicon-runtime/tools'
import { LIST_NAMES, type ListName, type ServerLog } from '../notices/server-notice.ts'
import { toJson } from './to-json.ts'

export type NoticeHandlers = {
  readonly onChanged: (list: ListName) => void
  readonly onLog: (log: ServerLog) => void
}

/** Before the client connects: a server may say something as soon as it can. */
export function followNotices(
  client: Client,
  redaction: Redaction,
  { onChanged, onLog }: NoticeHandlers,
): void {
  for (const list of LIST_NAMES)
    client.setNotificationHandler(`notifications/${list}/list_changed`, () => onChanged(list))
  client.setNotificationHandler('notifications/message', ({ params }) => {
    const { level, logger, data } = params
    const said = toJson({ logger, data })
    if (said === undefined) return
    const told = redaction.redactJson(said) as { logger?: JsonValue; data?: JsonValue }
    onLog({
      level,
      data: told.data ?? null,
      ...(typeof told.logger === 'string' ? { logger: told.logger } : {}),
    })
  })
}

/** A server of the newer era says that its lists have changed to whoever asked for it, and to nobody else. */
export async function subscribeToLists(client: Client): Promise<void> {
  await client.listen({
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
  })
}
