/** What the page and its worker say to each other. */
import type { Pin } from './pins.ts'
import type { Verified } from './verification.ts'

export type ToWorker =
  | { readonly kind: 'server'; readonly run: number; readonly pins: readonly Pin[] }
  | {
      readonly kind: 'file'
      readonly run: number
      readonly pins: readonly Pin[]
      readonly file: Blob
    }
  | { readonly kind: 'cancel' }

export type FromWorker =
  | { readonly kind: 'progress'; readonly run: number; readonly progress: Progress }
  | { readonly kind: 'done'; readonly run: number; readonly verified: Verified }
  | { readonly kind: 'failed'; readonly run: number; readonly why: string }

export type Progress = {
  readonly done: number
  /** Null: the file does not say. */
  readonly total: number | null
  /** Whether something was found already. */
  readonly found: boolean
}

/** As the worker was sent it, by ourselves. */
export function parseToWorker(data: unknown): ToWorker {
  return data as ToWorker
}

export function parseFromWorker(data: unknown): FromWorker {
  return data as FromWorker
}
