import { ConfigFault } from './config.ts';

/** Where a part of the site listens, with the variables that name it. */
export type Listened = { port: number; host: string; portName: string; hostName: string };

/**
 * Waits until a part listens.
 * @throws ConfigFault that says which variable names a port or a host at which this process can't listen
 */
export async function whenListening<T>(at: Listened, listening: Promise<T>): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    const fault = faultOf(at, (error as NodeJS.ErrnoException).code);
    throw fault === undefined ? error : new ConfigFault([fault]);
  }
}

function faultOf({ port, host, portName, hostName }: Listened, code?: string): string | undefined {
  if (code === 'EADDRINUSE')
    return `${portName}: ${port} is taken by another program; end that one, or name another port`;
  if (code === 'EACCES')
    return `${portName}: this user may not listen at ${port}; name a port from 1024 up, to which your proxy leads`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${hostName}: this machine has no address ${host}; name one that it has, or 0.0.0.0 for all`;
  return undefined;
}
