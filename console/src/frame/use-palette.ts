/** What the palette offers for a text: what this page knows, and what the server finds. */
import { useEffect, useState } from 'react'
import { useClient, useSession } from '../api/session.tsx'
import { useReply } from '../api/use-reply.ts'
import { useWaiting } from '../api/waiting.tsx'
import { readChoice } from '../choice.ts'
import { toVisibleText } from '../parts/visible-text.ts'
import { listAgentDeeds, listKeyDeeds, NEW_ITEMS } from './agent-items.ts'
import { listDestinations, listThings } from './destinations.ts'
import {
  type LoadItems,
  loadArtifactItems,
  loadPolicyItems,
  loadReasonItems,
  loadToolItems,
} from './found-items.ts'
import { listMonitorItems } from './monitor-items.ts'
import { DEED_ITEMS } from './palette-deeds.ts'
import { listMeant, type PaletteGroup, type PaletteItem } from './palette-items.ts'
import { parseRecent } from './recent-places.ts'
import { SETTING_ITEMS } from './setting-items.ts'

const MOST = 6
const AGENTS = '200'
const PAUSE_MS = 200
/** One sign occurs everywhere. */
const LEAST = 2

export function usePalette(text: string): readonly PaletteGroup[] {
  const agents = useAgentIds()
  const flows = useFoundFlows(text)
  const waiting = useWaiting() ?? 0
  const typed = text !== ''
  const tools = useLoadedItems(typed, loadToolItems)
  const artifacts = useLoadedItems(typed, loadArtifactItems)
  const policies = useLoadedItems(typed, loadPolicyItems)
  const reasons = useLoadedItems(typed, loadReasonItems)
  const recent = parseRecent(readChoice('recent'))
  const decide: PaletteItem = {
    label: 'Decide the next request',
    hint: `${waiting} waiting`,
    also: 'approve reject open request inbox',
    href: '/inbox',
  }
  const deeds = useOperatorDeeds(agents)
  const monitors = useMonitorItems()
  const known: readonly PaletteGroup[] = [
    { label: 'Recent', items: recent },
    { label: 'Pages', items: listDestinations('') },
    { label: 'Agents', items: typed ? agents.map(toAgentItem) : [] },
    {
      label: 'Actions',
      items: [...(waiting > 0 ? [decide] : []), ...DEED_ITEMS, ...(typed ? deeds : [])],
    },
    { label: 'Monitors', items: typed ? monitors : [] },
    { label: 'Tools', items: tools },
    { label: 'Policies', items: policies },
    { label: 'Artifacts', items: artifacts },
    { label: 'Settings', items: typed ? SETTING_ITEMS : [] },
    { label: 'Reasons', items: reasons },
  ]
  // What the server found, and what the look of the text says, is meant already.
  return [
    ...listMeant(known, text, typed ? MOST : PAGES),
    ...[
      { label: 'Flows', items: flows },
      { label: 'Look up', items: typed ? listThings(text.trim()) : [] },
    ].filter(({ items }) => items.length > 0),
  ]
}

/** A role that may do none of it is offered none. */
function useOperatorDeeds(agents: readonly string[]): readonly PaletteItem[] {
  const { session } = useSession()
  const { reply } = useReply('palette keys', (client, signal) =>
    client.listKeys({ query: { limit: AGENTS }, signal }),
  )
  if (!session.roles.includes('operator')) return []
  const keys = reply.state === 'ready' ? reply.value.keys : []
  return [...NEW_ITEMS, ...listAgentDeeds(agents), ...listKeyDeeds(keys)]
}

/** All of them, while nobody has typed. */
const PAGES = 16

function toAgentItem(agent: string): PaletteItem {
  return { label: agent, hint: 'agent', href: `/agents/${encodeURIComponent(agent)}` }
}

function useAgentIds(): readonly string[] {
  const { reply } = useReply('palette agents', (client, signal) =>
    client.listAgents({ query: { limit: AGENTS }, signal }),
  )
  return reply.state === 'ready' ? reply.value.agents.map(({ agent_id }) => agent_id) : []
}

function useMonitorItems(): readonly PaletteItem[] {
  const { reply } = useReply('palette monitors', (client, signal) =>
    client.listMonitors({ signal }),
  )
  return reply.state === 'ready' ? listMonitorItems(reply.value.monitors) : []
}

/** Asked for once, when they are first wanted; without them the palette finds everything else. */
function useLoadedItems(wanted: boolean, load: LoadItems): readonly PaletteItem[] {
  const client = useClient()
  const [items, setItems] = useState<readonly PaletteItem[] | null>(null)
  const isAsked = wanted || items !== null
  useEffect(() => {
    if (!isAsked) return
    const leaving = new AbortController()
    const { signal } = leaving
    load(client, signal).then(
      (found) => signal.aborted || setItems(found),
      () => {},
    )
    return () => leaving.abort()
  }, [client, isAsked, load])
  return wanted ? (items ?? NOTHING) : NOTHING
}

const NOTHING: readonly PaletteItem[] = []

/** Asked when nobody has typed for a moment; an answer to another text is not waited for. */
function useFoundFlows(text: string): readonly PaletteItem[] {
  const client = useClient()
  const [found, setFound] = useState<readonly PaletteItem[]>([])
  const words = text.trim()
  useEffect(() => {
    if (words.length < LEAST) {
      setFound([])
      return
    }
    const leaving = new AbortController()
    const { signal } = leaving
    const ask = async (): Promise<void> => {
      const answer = await client.listFlows({ query: { words, limit: String(MOST) }, signal })
      if (signal.aborted) return
      const flows = answer.ok ? answer.body.flows : []
      setFound(
        flows.map(({ dfid, trigger, agent_id, reason }) => ({
          label: toVisibleText(trigger),
          hint: reason === null ? agent_id : `${agent_id} ${reason}`,
          href: `/flows/${dfid}`,
        })),
      )
    }
    const timer = setTimeout(() => void ask(), PAUSE_MS)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [client, words])
  return found
}
