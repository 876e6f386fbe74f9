/** A call to the database was given up. If it was a write, its outcome is unknown. */
export class CallGivenUp extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = new.target.name;
  }
}

/** The database does not answer anybody. Health reports it once, so a single call needs no line in the log. */
export class DatabaseSilence extends CallGivenUp {
  constructor() {
    super('The database does not answer.');
  }
}
