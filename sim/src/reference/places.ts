/** Where a pointer leads: one place for each way in which its stars can be read. */
export type PlaceOf = {
  /** The pointer to this one place. */
  readonly at: string
  /** Undefined: nothing stands there. */
  readonly value: unknown
  /** Something on the way has no members of that sort. */
  readonly blocked: boolean
}

export function findPlaces(params: unknown, pointer: string): readonly PlaceOf[] {
  const start: PlaceOf = { at: '', value: params, blocked: false }
  const sound = pointer[0] === '/' && !/~(?![01])/.test(pointer)
  if (!sound) return [{ at: pointer, value: undefined, blocked: true }]
  return pointer.slice(1).split('/').reduce(step, [start])
}

function step(places: readonly PlaceOf[], token: string): readonly PlaceOf[] {
  return places.flatMap((place) => {
    const { at, value, blocked } = place
    const toPlace = (name: string, next: unknown, isBlocked = blocked): PlaceOf => {
      return { at: `${at}/${name}`, value: next, blocked: isBlocked }
    }
    if (blocked || value === undefined || value === null) return [toPlace(token, undefined)]
    if (Array.isArray(value)) {
      if (token === '*') return value.map((item, index) => toPlace(String(index), item))
      return /^(0|[1-9][0-9]{0,8})$/.test(token)
        ? [toPlace(token, value[Number(token)])]
        : [toPlace(token, undefined, true)]
    }
    if (typeof value !== 'object' || token === '*') return [toPlace(token, undefined, true)]
    const name = token.replace(/~1/g, '/').replace(/~0/g, '~')
    const members = value as Readonly<Record<string, unknown>>
    return [toPlace(token, Object.hasOwn(members, name) ? members[name] : undefined)]
  })
}
