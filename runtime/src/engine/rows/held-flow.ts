import type { FlowRow, Store } from '../../ports/store.ts'

/** The store for whoever prepares what is written together with this row: the row is there already. */
export function holdFlow(store: Store, flow: FlowRow): Store {
  const readFlow: Store['readFlow'] = async (dfid) =>
    dfid === flow.dfid ? flow : store.readFlow(dfid)
  return new Proxy(store, {
    get(target, name) {
      if (name === 'readFlow') return readFlow
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
