/**
 * The member of that name, if the map itself has it. Names come from agents and files, and every
 * ordinary object answers to `constructor`.
 */
export function getOwn<T>(map: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined
}
