/**
 * Asks an engine for something, as somebody outside does. Null: it died, stood still for too long, or
 * its store failed before it answered. Anything may have happened.
 */
import type { Engine } from '../../runtime/src/engine/engine.ts'
import type { SimProcess } from './process.ts'
import type { Site } from './site.ts'

type Asker = { readonly site: Site; readonly note: (text: string) => void }

export async function call<T>(
  asker: Asker,
  work: (engine: Engine) => Promise<T>,
): Promise<T | null> {
  return callProcess(await asker.site.process(), asker, work)
}

export async function callProcess<T>(
  process: SimProcess,
  { note }: Pick<Asker, 'note'>,
  work: (engine: Engine) => Promise<T>,
): Promise<T | null> {
  const engine = process.engine
  if (engine === null) return null
  try {
    const done = await Promise.race([process.work(work(engine)), process.lost])
    return done === 'lost' ? null : done
  } catch (error) {
    note(`error ${error instanceof Error ? error.name : 'unknown'}: ${String(error)}`)
    return null
  }
}
