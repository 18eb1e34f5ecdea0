/**
 * Tells whoever asked for it that something waits for them: by a notification of the browser, while they look elsewhere.
 * What waited when the console was opened is not told, nor anything twice.
 */
import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import type { InboxRow } from 'rubicon-agents/client'
import { useLookAgain } from '../api/use-look-again.ts'
import { useReply } from '../api/use-reply.ts'
import { go, readPlace } from '../url/location.ts'
import { parsePage } from '../url/pages.ts'
import { useNotices } from './notice-choice.tsx'
import { listNotices, type NoticeText } from './notice-text.ts'

/** A tab that nobody sees hears no events; browsers may make it wait longer than this. */
const LOOK_MS = 20_000
const LOOKED_AT = '50'

export function DesktopNotices(): ReactNode {
  const { state } = useNotices()
  return state === 'on' ? <Teller /> : null
}

function Teller(): ReactNode {
  useTelling('mine')
  useTelling('fast')
  return null
}

function useTelling(tab: 'mine' | 'fast'): void {
  const told = useRef<Set<string> | null>(null)
  const { reply, again } = useReply(`notices ${tab}`, (client, signal) =>
    client.listInbox({ query: { tab, sort: '-requested', limit: LOOKED_AT }, signal }),
  )
  useLookAgain(again, LOOK_MS)
  const tell = useCallback((rows: readonly InboxRow[]) => {
    const before = told.current
    told.current = new Set([...(before ?? []), ...rows.map(({ id }) => id)])
    const fresh = before === null ? [] : rows.filter(({ id }) => !before.has(id))
    if (!isInboxSeen()) for (const notice of listNotices(fresh)) show(notice)
  }, [])
  const rows = reply.state === 'ready' ? reply.value.requests : null
  useEffect(() => {
    if (rows !== null) tell(rows)
  }, [rows, tell])
}

/** Whoever looks at the inbox sees it come. */
function isInboxSeen(): boolean {
  return document.visibilityState === 'visible' && parsePage(readPlace().path).page === 'inbox'
}

function show({ tag, title, body, href }: NoticeText): void {
  try {
    const notice = new Notification(title, { tag, body })
    notice.addEventListener('click', () => {
      window.focus()
      go(href)
      notice.close()
    })
  } catch {
    // Some browsers show them to pages that are installed only.
  }
}
