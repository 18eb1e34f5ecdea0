import type { Deps } from '../../../runtime/src/engine/deps.ts'
import type { Stage } from './stage.ts'

/** The store of the shop, with some of what it does done otherwise. */
export function changeStore(
  { engine }: Stage,
  change: Partial<Deps['store']>,
): Pick<Deps, 'store'> {
  const { store } = engine.context
  const get = (_: Deps['store'], name: string): unknown => {
    const found = Reflect.get(Object.hasOwn(change, name) ? change : store, name)
    return typeof found === 'function' ? found.bind(store) : found
  }
  return { store: new Proxy<Deps['store']>(store, { get }) }
}
