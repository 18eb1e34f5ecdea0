/** The member of a payload at a path such as `body.contract.version`; undefined where there is none. */
export function parseAt(payload: unknown, path: string): unknown {
  let value = payload
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}
