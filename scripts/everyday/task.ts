/** Something that people do every day with the console, as steps that a browser carries out. */
import type { Page } from 'playwright-core'
import type { Client } from 'rubicon-agents/client'

/** What is clicked, as somebody finds it who looks at the page or has it read out. */
export type Target = {
  readonly role: 'button' | 'link' | 'textbox' | 'option' | 'checkbox'
  readonly name: RegExp
  /** What the page of the docs calls it. */
  readonly says: string
  /** Of several that are called the same, from 0 on. */
  readonly nth?: number
  /** The row of a table that it stands in. */
  readonly row?: RegExp
}

/** What somebody looks for before they go on: it costs no step, and must be there. */
type Look = { readonly see: RegExp }

/**
 * One key or chord (`g i`), one text, one click, one command in a terminal: one step each. What a terminal runs is the
 * command that the page shows.
 */
export type TaskStep = PageStep | { readonly run: RegExp }

/** What is done in the browser. */
export type PageStep =
  | { readonly press: string }
  | { readonly type: string }
  | { readonly click: Target }
  | Look

export type Peer = {
  readonly name: string
  readonly steps: number
  /** What is done there, step by step, as its documentation has it. */
  readonly how: string
  /** Where it says so. */
  readonly source: string
  /** What of the task stays undone. */
  readonly lacks?: string
}

export type Way = 'keyboard' | 'pointer'
export const WAYS: readonly Way[] = ['keyboard', 'pointer']

export type EverydayTask = {
  readonly name: string
  /** In the words of whoever has to do it; each begins on the overview, signed in. */
  readonly ask: string
  readonly keyboard: readonly TaskStep[]
  readonly pointer: readonly TaskStep[]
  /** Empty: none of the peers can. */
  readonly peers: readonly Peer[]
  /** What of it no peer does. */
  readonly none?: string
  /** Remembers how it was, so that what was done is not taken for what was there. */
  readonly prepare?: (place: TaskPlace) => Promise<unknown>
  /** What was not done, by what the server, a verifier or another browser says; null: all of it was. */
  readonly check: (place: TaskPlace, before: unknown) => Promise<string | null>
}

/** Where a task is done. */
export type TaskPlace = {
  readonly url: string
  readonly client: Client
  readonly page: Page
  /** Somebody else who is signed in, in a browser of their own. */
  readonly other: Page
  /** Files of the task: what was downloaded, and what the terminal wrote. */
  readonly folder: string
  /** What the browser saved last. */
  readonly saved: () => Promise<string | null>
}

export function isCounted(step: TaskStep): boolean {
  return !('see' in step)
}

export function countSteps(steps: readonly TaskStep[]): number {
  return steps.filter(isCounted).length
}

/** Null: none of them can. */
export function findFewest({ peers }: EverydayTask): number | null {
  return peers.length === 0 ? null : Math.min(...peers.map(({ steps }) => steps))
}
