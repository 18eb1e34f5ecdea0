/**
 * Counts what is asked behind the door: what the door turned away proves nothing about what is behind it.
 */
export type Reached = { count: number }

/** Members that are asked themselves. */
const ASKED: readonly string[] = ['contextStore', 'oversight']

export function countCalls<T extends object>(target: T, reached: Reached): T {
  const inner = new Map<string | symbol, object>()
  return new Proxy(target, {
    get(_, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member === 'object' && member !== null && ASKED.includes(String(name))) {
        const known = inner.get(name) ?? countCalls(member, reached)
        inner.set(name, known)
        return known
      }
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        reached.count += 1
        return Reflect.apply(member, target, args)
      }
    },
  })
}
