/** What can be done with agents, whoever is signed in as an operator: each leads to where it is asked about first. */
import type { KeyRecord } from 'rubicon-agents/client'
import { toVisibleText } from '../parts/visible-text.ts'
import type { PaletteItem } from './palette-items.ts'

/** The names of the pages are those that no agent and no monitor can have: they have a space. */
export const NEW_ITEMS: readonly PaletteItem[] = [
  {
    label: 'New agent…',
    hint: 'begins with a contract',
    also: 'create add register',
    href: '/agents/new%20agent',
  },
  {
    label: 'New monitor…',
    hint: 'tried before it is deployed',
    also: 'create add threshold',
    href: '/monitors/try%20one',
  },
]

export function listAgentDeeds(agents: readonly string[]): readonly PaletteItem[] {
  return [...agents.map(buildSuspendItem), ...agents.map(buildContractItem)]
}

function buildSuspendItem(agent: string): PaletteItem {
  return {
    label: `Suspend ${agent}…`,
    hint: 'asks for a reason first',
    also: 'stop pause',
    href: `/agents/${encodeURIComponent(agent)}?do=suspend`,
  }
}

function buildContractItem(agent: string): PaletteItem {
  return {
    label: `Change a limit of ${agent}…`,
    hint: 'nothing changes until it is deployed',
    also: 'tighten raise lower edit contract budget deploy',
    href: `/agents/${encodeURIComponent(agent)}?view=change&do=limit`,
  }
}

/** Keys that a token may end; those of the runtime itself are changed on its machine. */
export function listKeyDeeds(keys: readonly KeyRecord[]): readonly PaletteItem[] {
  return keys
    .filter(({ purpose, in_use }) => in_use && (purpose === 'agent' || purpose === 'approver'))
    .map(({ key_id, subject }) => ({
      label: `Rotate the key of ${toVisibleText(subject)}…`,
      hint: key_id,
      also: 'replace retire renew',
      href: `/settings/${encodeURIComponent(key_id)}?in=keys`,
    }))
}
