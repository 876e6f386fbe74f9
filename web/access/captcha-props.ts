export type CaptchaProps = {
  onToken: (token: string) => void;
  onLost: (reason: 'captchaFailed' | 'captchaExpired') => void;
};
