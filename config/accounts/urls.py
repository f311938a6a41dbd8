"""Addresses of signing in and of one's account."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from corpus.pages.later_views import LaterViews

views = LaterViews("config.accounts.views")
pages = LaterViews("config.accounts.pages")
# What speaks to the provider brings its own libraries.
provider = LaterViews("config.accounts.provider")
signing_in = LaterViews("config.accounts.signing_in")
account = LaterViews("allauth.account.views")
sessions = LaterViews("allauth.usersessions.views")
mfa = LaterViews("allauth.mfa.base.views")
totp = LaterViews("allauth.mfa.totp.views")
webauthn = LaterViews("allauth.mfa.webauthn.views")
recovery = LaterViews("allauth.mfa.recovery_codes.views")

FACTOR = "account/second-factor"
CODES = f"{FACTOR}/recovery-codes"
RESET = "sign-in/reset"

urlpatterns = [
    path("sign-in/", signing_in.SignIn, name="account_login"),
    path("sign-in/provider/", provider.begin, name="open-id"),
    path("sign-in/provider/back/", provider.come_back, name="open-id-back"),
    path("sign-in/code/", mfa.AuthenticateView, name="mfa_authenticate"),
    path("sign-in/passkey/", views.SignInWithPasskey, name="mfa_login_webauthn"),
    path(f"{RESET}/", views.AskForReset, name="account_reset_password"),
    path(f"{RESET}/sent/", views.ResetSent, name="account_reset_password_done"),
    path(
        f"{RESET}/<str:uidb36>/<str:key>/",
        views.ChooseAfterReset,
        name="account_reset_password_from_key",
    ),
    path("sign-in/<str:name>/<str:token>/", signing_in.sign_in_once, name="sign-in-once"),
    path("sign-out/", LogoutView.as_view(), name="account_logout"),
    path("account/", pages.account, name="account"),
    path("account/password/", views.ChangePassword, name="account_change_password"),
    path("account/password/first/", views.SetPassword, name="account_set_password"),
    path("account/address/", views.Address, name="account_email"),
    path("account/address/<str:key>/", views.ConfirmAddress, name="account_confirm_email"),
    path("account/check/", account.ReauthenticateView, name="account_reauthenticate"),
    path("account/session/end/", pages.end_session, name="account-session-end"),
    path("account/sessions/", sessions.ListUserSessionsView, name="usersessions_list"),
    path("account/token/", pages.make_token, name="account-token"),
    path("account/token/<number:pk>/revoke/", pages.revoke_token, name="account-token-revoke"),
    path(f"{FACTOR}/", views.SecondFactor, name="mfa_index"),
    path(f"{FACTOR}/check/", mfa.ReauthenticateView, name="mfa_reauthenticate"),
    path(
        f"{FACTOR}/check/passkey/",
        webauthn.ReauthenticateWebAuthnView,
        name="mfa_reauthenticate_webauthn",
    ),
    path(f"{FACTOR}/app/", totp.ActivateTOTPView, name="mfa_activate_totp"),
    path(f"{FACTOR}/app/remove/", totp.DeactivateTOTPView, name="mfa_deactivate_totp"),
    path(f"{CODES}/", recovery.ViewRecoveryCodesView, name="mfa_view_recovery_codes"),
    path(f"{CODES}/new/", recovery.GenerateRecoveryCodesView, name="mfa_generate_recovery_codes"),
    path(f"{FACTOR}/passkey/", webauthn.AddWebAuthnView, name="mfa_add_webauthn"),
    path(f"{FACTOR}/passkey/<number:pk>/remove/", views.RemovePasskey, name="mfa_remove_webauthn"),
]
