const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A stored request as a command. Its secrets are cut, so that it shows a call and can't repeat it. */
export function curlOf(raw: string): string {
  const bodyAt = raw.indexOf('\n\n');
  const [line = '', header] = (bodyAt < 0 ? raw : raw.slice(0, bodyAt)).split('\n');
  const body = bodyAt < 0 ? undefined : raw.slice(bodyAt + 2);
  const [method = 'GET'] = line.split(' ');
  return [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    ...(header === undefined ? [] : ['-H', quoted(header)]),
    ...(body === undefined ? [] : ['--data-raw', quoted(body)]),
    quoted(line.slice(method.length + 1)),
  ].join(' ');
}
