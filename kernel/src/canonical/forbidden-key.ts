/**
 * Keys that JavaScript gives a meaning of its own. Our objects have no prototype and would hold
 * them safely, but one careless copy downstream (`target[key] = source[key]`) would let an agent
 * write to the prototype of every object in the process.
 */
export function isForbiddenKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype'
}
