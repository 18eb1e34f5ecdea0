/** A place of the console that is looked at, and in which condition. */
import type { PageStep } from './everyday/task.ts'

/** `loading`: nothing is answered; `failed`: everything is refused. */
export type Condition = 'empty' | 'full' | 'loading' | 'failed'

export type Place = {
  /** In reports, and of its screenshot. */
  readonly name: string
  readonly path: string
  readonly conditions: readonly Condition[]
  /** What must be there once it is full, as CSS. */
  readonly shows: string
  /** What is done there once it is full, before it is looked at. */
  readonly steps?: readonly PageStep[]
  /** An empty page names the command that fills it. */
  readonly command?: true
  /** Of the company of the demo: a filled store has none of it. */
  readonly ofDemo?: true
  /** As somebody sees it who has not signed in. */
  readonly signedOut?: true
  /** Only in a narrow window is there something to see. */
  readonly narrow?: true
  /** Kept for the docs: how high the window is, wide or in the hand. */
  readonly pictures?: { readonly wide: number; readonly narrow?: number }
}

export const ALL: readonly Condition[] = ['empty', 'full', 'loading', 'failed']
export const ONE: readonly Condition[] = ['full', 'loading', 'failed']

export const ROWS = 'main table tbody tr'
export const DETAIL = '[aria-label="detail"] :is(h2, h3)'
export const DIALOG = 'dialog[open]'
/** Loaded, and not the plain field that stands in for it. */
export const EDITOR = '.editor[data-state="ready"]'

/** It has nothing to load, or what it loads is looked at elsewhere. */
export function buildFullPlace(
  name: string,
  path: string,
  shows: string,
  ...steps: readonly PageStep[]
): Place {
  return { name, path, shows, conditions: ['full'], ...(steps.length === 0 ? {} : { steps }) }
}

export function buildListPlace(name: string, path: string, shows: string = ROWS): Place {
  return { name, path, shows, conditions: ALL, command: true }
}

export function buildDetailPlace(name: string, path: string, shows: string = DETAIL): Place {
  return { name, path, shows, conditions: ONE }
}
